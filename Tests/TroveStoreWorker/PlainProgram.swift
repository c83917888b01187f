// A program that does not know the indexes of a type. It answers each line of its input:
//
//     read      N                               the number of records
//     write     written | newer NAMES           the undeclared indexes
//     delete    deleted | newer NAMES
//     any       lacks FEATURES                  the store has features that the program does not know

import Trove

/// A program with a type without indexes, which writes and deletes one record.
struct PlainProgram<Record: IndexKeyRecord> {
    private struct Unknown: Error {
        var question: String
    }

    let store: Store
    let record: Record

    func run() throws {
        while let question = readLine(), question != "end" {
            do {
                TroveStoreWorker.say(try answer(question))
            } catch StoreError.schema(.schemaNewer(_, _, _, _, let names)) {
                TroveStoreWorker.say("newer \(names.joined(separator: ", "))")
            } catch StoreError.file(.formatTooNew(_, _, _, let features)) {
                TroveStoreWorker.say("lacks \(features.map(\.description).joined(separator: ", "))")
            }
        }
    }

    private func answer(_ question: String) throws -> String {
        switch question {
        case "read": return "\(try Query<Record>().resolve(in: store).count)"
        case "write":
            try store.insert(record)
            return "written"
        case "delete":
            try store.delete(record)
            return "deleted"
        default: throw Unknown(question: question)
        }
    }
}

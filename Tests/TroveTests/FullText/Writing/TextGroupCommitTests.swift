// Texts that several tasks save at the same time: writes share commits, and those that throw leave no word.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Postcard {
    #FullTextIndex<Postcard>(\.text)
    #FullTextIndex<Postcard>(\.text, keepsOrder: false, where: { $0.id % 2 == 0 })

    let id: Int
    var text: String
}

private struct Undone: Error {}

struct TextGroupCommitTests {
    @Test func savesOfManyTasks_areInTheIndex_unlessTheyThrow() async throws {
        let store = try await Store.temporary(records: [Postcard.self])
        try await store.insert(contentsOf: (0..<40).map { Postcard(id: $0, text: "first all \($0)") })
        let counted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    do {
                        return try await store.write { context in
                            try context.insert(Postcard(id: number, text: "all of n\(number) w\(number % 7)"))
                            // A search inside the group's transaction flushes the words of earlier writes, too.
                            if number % 11 == 0 { _ = try Postcard.matching("n\(number)").keys(in: context) }
                            if number % 5 == 0 { throw Undone() }
                            if number % 7 == 0 { try context.delete(Postcard.self, key: number) }
                            let isFound = try number % 13 > 0 || Postcard.matching("n\(number)").count(in: context) == 1
                            return isFound || number % 7 == 0
                        }
                    } catch is Undone {
                        return number % 5 == 0
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(counted == 400)
        let saved = (0..<400).filter { $0 % 5 != 0 && $0 % 7 != 0 }
        #expect(try await Postcard.matching("of").keys(in: store).sorted() == saved)
        #expect(try await Postcard.matching("w3").keys(in: store).sorted() == saved.filter { $0 % 7 == 3 })
        // Those that threw left the first texts as they were.
        #expect(try await Postcard.matching("first").keys(in: store).sorted() == (0..<40).filter { $0 % 5 == 0 })
        #expect(try await store.check() == [])
        #expect(try await store.read { try $0.checkStoredIndexes(of: $0.storedTypes()[0]).differences.count } == 0)
    }
}

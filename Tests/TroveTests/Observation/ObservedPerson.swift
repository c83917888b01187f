// The people whose values are observed.

import Trove
import TroveTestSupport

@IndexKeyRecord("id")
struct ObservedPerson: Equatable {
    #Index<ObservedPerson>(\.age)

    let id: Int
    var name: String
    var age: Int
}

extension Store {
    /// A store of three people.
    static func observedPeople(_ records: [any IndexKeyRecord.Type] = []) throws -> Store {
        let store = try Store.temporary(records: [ObservedPerson.self] + records)
        try store.insert(contentsOf: [
            ObservedPerson(id: 1, name: "Korben", age: 45), ObservedPerson(id: 2, name: "Leeloo", age: 20),
            ObservedPerson(id: 3, name: "Ruby", age: 30),
        ])
        return store
    }

    func setAge(_ id: Int, _ age: Int) async throws {
        try await write { context in
            try ObservedPerson.filter(\.id == id).update(in: context) { $0.age = age }
        }
    }
}

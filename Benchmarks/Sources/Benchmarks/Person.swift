// The record of all workloads except W6 and the index workloads, as each peer's users would declare it.

import Foundation
import GRDB
import Trove

/// A person, declared once for Trove, and once for GRDB's Codable records.
@IndexKeyRecord(keyPrefix: 2, "id")
struct Person: PersonRecord, Codable {
    let id: Int64
    var name: String
    var age: Int
    var email: String
    var created: Date
}

extension Person {
    /// Creates the person of a number, always with the same contents.
    init(number: Int) {
        self.init(
            id: Int64(number), name: "Person number \(100_000 + number)", age: number % 90,
            email: "person\(100_000 + number)@example.com",
            created: Date(timeIntervalSinceReferenceDate: Double(number)))
    }
}

extension Person: FetchableRecord, PersistableRecord {
    static let databaseTableName = "person"
}

/// A checksum of the records read by a workload. It must be equal for every peer.
struct Checksum: Hashable {
    private(set) var value: UInt64 = 0

    mutating func add(_ number: some BinaryInteger) {
        value = value &* 31 &+ UInt64(truncatingIfNeeded: number)
    }

    mutating func add(_ other: Checksum) { add(other.value) }

    mutating func add(_ person: some PersonRecord) {
        add(person.id &+ Int64(person.age) &+ Int64(person.name.utf8.count &+ person.email.utf8.count))
    }

    mutating func add(_ people: [some PersonRecord]) {
        add(people.count)
        if let first = people.first { add(first) }
        if let last = people.last { add(last) }
    }
}

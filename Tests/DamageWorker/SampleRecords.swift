// The records of the damaged store. Each record is derived from its key and its revision alone, so that a reader
// recognizes a record that was never written.

import Foundation
import Trove

/// A record derived from its key and its revision.
package protocol SampleRecord: IndexKeyRecord, Hashable {
    var number: Int { get }
    var revision: Int { get }
    init(_ number: Int, revision: Int)
}

extension SampleRecord {
    /// Whether the record was ever written, in this or in an earlier revision.
    var isGenuine: Bool { (0..<SampleStore.revisions).contains(revision) && self == Self(number, revision: revision) }
}

/// Small records, many to a page.
@IndexKeyRecord("number")
package struct Small: SampleRecord {
    package let number: Int
    package var revision: Int
    package var text: String
    package var flags: [Bool]

    package init(_ number: Int, revision: Int) {
        self.number = number
        self.revision = revision
        text = String(repeating: "\(number).\(revision) ", count: number % 9)
        flags = [number.isMultiple(of: 2), revision == 1]
    }
}

/// Records under a key of several components.
@IndexKeyRecord("group", "name")
package struct Named: SampleRecord {
    package let group: String
    package let name: String
    package var number: Int
    package var revision: Int
    package var tags: Set<String>
    package var moment: Date?

    package init(_ number: Int, revision: Int) {
        group = "group \(number % 7)"
        name = "name \(number)"
        self.number = number
        self.revision = revision
        tags = ["\(revision)", "tag", String(repeating: "x", count: number % 40)]
        moment = number.isMultiple(of: 3) ? nil : Date(timeIntervalSinceReferenceDate: Double(number))
    }
}

/// Records that fill overflow pages.
@IndexKeyRecord("number")
package struct Large: SampleRecord {
    package let number: Int
    package var revision: Int
    package var bytes: [UInt8]

    package init(_ number: Int, revision: Int) {
        self.number = number
        self.revision = revision
        bytes = (0..<(3000 + number * 1700)).map { UInt8(truncatingIfNeeded: $0 &* (number + 3) &+ revision) }
    }
}

/// The store to be damaged.
package enum SampleStore {
    static let revisions = 4

    /// Writes the store: several types, large values, links, and free pages from earlier revisions.
    package static func make(at path: String) throws {
        let store = try Store(path: path, records: SampleLinks.types, options: StoreOptions(durability: .noSync))
        for revision in 0..<revisions {
            // Each revision leaves some records of the previous revision unchanged, and deletes some.
            try store.write { context in
                try write(Small.self, 600, revision, in: context)
                try write(Named.self, 300, revision, in: context)
                try write(Large.self, 10, revision, in: context)
                try SampleLinks.write(revision, in: context)
            }
        }
    }

    private static func write<Record: SampleRecord>(
        _ type: Record.Type, _ count: Int, _ revision: Int, in context: TransactionContext
    ) throws {
        for number in 0..<count where (number + revision) % 3 != 0 {
            try context.insert(Record(number, revision: revision))
        }
        for number in 0..<count where revision > 0 && number % 11 == revision {
            try context.delete(Record(number, revision: revision))
        }
    }
}

// The records of the scripted run, and the model of a store's contents.

import Foundation
import Trove

/// A record whose bytes are derived from its number and version.
package protocol CrashRecord: IndexKeyRecord {
    var number: Int { get }
    var version: Int { get }
    var body: Data { get }
    init(number: Int, version: Int, body: Data)
    static func bodySize(_ version: Int) -> Int
    static func query(in numbers: Range<Int>) -> Query<Self>
}

extension CrashRecord {
    init(number: Int, version: Int) {
        self.init(number: number, version: version, body: Self.expectedBody(number, version))
    }

    private static func expectedBody(_ number: Int, _ version: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number &* 31 &+ version), count: bodySize(version))
    }

    var isWhole: Bool { body == Self.expectedBody(number, version) }
}

/// A small record; many fit into a page.
@IndexKeyRecord("number")
package struct SmallRecord: CrashRecord {
    package let number: Int
    package var version: Int
    package var body: Data

    package init(number: Int, version: Int, body: Data) {
        self.number = number
        self.version = version
        self.body = body
    }

    package static func bodySize(_ version: Int) -> Int { version * 37 % 300 }
    package static func query(in numbers: Range<Int>) -> Query<SmallRecord> { query(number: .range(numbers)) }
}

/// A large record of several pages.
@IndexKeyRecord("number")
package struct LargeRecord: CrashRecord {
    package let number: Int
    package var version: Int
    package var body: Data

    package init(number: Int, version: Int, body: Data) {
        self.number = number
        self.version = version
        self.body = body
    }

    package static func bodySize(_ version: Int) -> Int { 3000 + version * 7919 % 30_000 }
    package static func query(in numbers: Range<Int>) -> Query<LargeRecord> { query(number: .range(numbers)) }
}

/// A record of a type that is first written in the middle of the run.
@IndexKeyRecord("number")
package struct LateRecord: CrashRecord {
    package let number: Int
    package var version: Int
    package var body: Data

    package init(number: Int, version: Int, body: Data) {
        self.number = number
        self.version = version
        self.body = body
    }

    package static func bodySize(_ version: Int) -> Int { version % 7 }
    package static func query(in numbers: Range<Int>) -> Query<LateRecord> { query(number: .range(numbers)) }
}

/// The type of a record.
package enum CrashKind: Int, CaseIterable, Sendable {
    case small, large, late

    var type: any CrashRecord.Type {
        switch self {
        case .small: SmallRecord.self
        case .large: LargeRecord.self
        case .late: LateRecord.self
        }
    }
}

/// The versions of all records of a store: expected by the model, or found in the store.
package struct Contents: Hashable, Sendable, CustomStringConvertible {
    private var versions: [[Int: Int]] = CrashKind.allCases.map { _ in [:] }

    /// The contents of an empty store.
    package init() {}

    package struct NotWhole: Error {
        var kind: CrashKind
        var number: Int
    }

    /// Reads the contents of a snapshot.
    ///
    /// - Throws: ``NotWhole`` for a record with unexpected bytes.
    package init(in context: ReadContext) throws {
        for kind in CrashKind.allCases {
            versions[kind.rawValue] = try Self.versions(kind, of: kind.type, in: context)
        }
    }

    private static func versions<Record: CrashRecord>(
        _ kind: CrashKind, of type: Record.Type, in context: ReadContext
    ) throws -> [Int: Int] {
        var found: [Int: Int] = [:]
        for record in try Query<Record>().resolve(in: context) {
            guard record.isWhole else { throw NotWhole(kind: kind, number: record.number) }
            found[record.number] = record.version
        }
        return found
    }

    /// A digest that is equal for equal contents in every process.
    package var digest: UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for (kind, versions) in versions.enumerated() {
            for (number, version) in versions.sorted(by: { $0.key < $1.key }) {
                for part in [kind, number, version] {
                    digest = (digest ^ UInt64(bitPattern: Int64(part))) &* 0x0000_0100_0000_01B3
                    digest ^= digest >> 29
                }
            }
        }
        return digest
    }

    package var description: String {
        versions.map { "\($0.count)" }.joined(separator: "+") + " records, " + String(digest, radix: 16)
    }

    subscript(kind: CrashKind) -> [Int: Int] {
        get { versions[kind.rawValue] }
        set { versions[kind.rawValue] = newValue }
    }
}

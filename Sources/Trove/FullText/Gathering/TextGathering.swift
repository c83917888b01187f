// The closure of an index of gathered text: it returns the texts of records by their keys.

import LMDB
import TroveCoding

/// The source of gathered text, independent of the type of its records.
@usableFromInline
struct TextGathering: Sendable {
    /// The maximum number of keys in a call of the closure.
    static let batchSize = 1_000

    /// The closure. It returns the text of each key, in the order of the keys; nil for a record without text.
    enum Source {
        /// Runs in the transaction that has saved the records.
        case inTransaction(@Sendable ([[UInt8]], ReadContext) throws -> [String?])
        /// Runs in a task, outside of transactions.
        case inTask(@Sendable ([[UInt8]], Store) async throws -> [String?])
    }

    let source: Source

    /// Returns the places of keys in groups, none of which has equal keys. There is a single group unless keys with
    /// different bytes are equal in Swift, as `"\u{E9}"` and `"e\u{301}"` are: a dictionary has one text for both.
    private static func groups<Key: Hashable>(of keys: [Key]) -> [[Int]] {
        var counts: [Key: Int] = [:]
        counts.reserveCapacity(keys.count)
        var groups: [[Int]] = []
        for (place, key) in keys.enumerated() {
            let group = counts[key, default: 0]
            counts[key] = group + 1
            if group == groups.count { groups.append([]) }
            groups[group].append(place)
        }
        return groups
    }

    /// Creates the source of an index that is gathered in the transaction of a save.
    init<Record: IndexKeyRecord>(
        of type: Record.Type,
        inTransaction gather: @escaping @Sendable ([Record.IndexKey], ReadContext) throws -> [Record.IndexKey: String]
    ) {
        source = .inTransaction { bytes, context in
            let keys = try Record.keys(decoding: bytes)
            var found = [String?](repeating: nil, count: keys.count)
            for places in Self.groups(of: keys) {
                let texts = try gather(places.map { keys[$0] }, context)
                for place in places { found[place] = texts[keys[place]] }
            }
            return found
        }
    }

    /// Creates the source of an index that is gathered later.
    init<Record: IndexKeyRecord>(
        of type: Record.Type,
        inTask gather: @escaping @Sendable ([Record.IndexKey], Store) async throws -> [Record.IndexKey: String]
    ) {
        source = .inTask { bytes, store in
            let keys = try Record.keys(decoding: bytes)
            var found = [String?](repeating: nil, count: keys.count)
            for places in Self.groups(of: keys) {
                let texts = try await gather(places.map { keys[$0] }, store)
                for place in places { found[place] = texts[keys[place]] }
            }
            return found
        }
    }

    /// Whether records wait for their text after the commit.
    var isAsync: Bool { if case .inTask = source { true } else { false } }
}

/// The key of a row that is not a key of the type.
private struct UnreadableKey: Error {
    let bytes: [UInt8]
}

extension IndexKeyRecord {
    /// Decodes keys of the type.
    fileprivate static func keys(decoding keys: [[UInt8]]) throws -> [IndexKey] {
        try keys.map { key in
            do throws(CodingError) {
                return try KeyReader.decode(IndexKey.self, from: key)
            } catch {
                throw UnreadableKey(bytes: key)
            }
        }
    }
}

extension StoreError {
    /// Returns the error of an index whose texts are gathered: of its closure, or of a damaged row. The error
    /// of a cancellation stays as it is.
    static func gathering(_ error: any Error, for index: IndexDescriptor, of schema: RecordSchema) -> any Error {
        if error is CancellationError { return error }
        if let key = error as? UnreadableKey {
            return StoreError.record(
                .indexDamaged(type: schema.name, index: index.text, key: schema.storedKey(key.bytes)))
        }
        return StoreError.text(.gatheringFailed(type: schema.name, index: index.text, reason: "\(error)"))
    }
}

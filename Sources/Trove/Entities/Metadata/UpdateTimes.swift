// The times of entities' last saves as a source of keys: the stamps, in the order of their times.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The entities in the order of their times, or the entities whose time is in a range. Equal times are in key order.
final class UpdateTimes<Entity: EntityModelProtocol>: KeySource {
    typealias Stamp = EntityMetadata<Entity>

    /// The range of the times; nil for all entities, also entities without a time, which come last.
    let range: ClosedRange<Date>?
    let isDescending: Bool

    init(within range: ClosedRange<Date>?, isDescending: Bool = false) {
        self.range = range
        self.isDescending = isDescending
    }

    /// The condition, or the order.
    var plan: String {
        range.map { "updated within \($0.literal(isSwift: false))" }
            ?? "updatedAt\(isDescending ? " descending" : "")"
    }

    var swift: String {
        range.map { ".updated(within: \($0.literal(isSwift: true)))" } ?? ".updatedAt\(isDescending ? ".desc" : "")"
    }

    var share: Double { range == nil ? 1 : 0.1 }

    func check() throws { try Self.checkOption() }

    /// Throws if the type keeps no times.
    static func checkOption() throws(StoreError) {
        try Stamp.schema.checkIsKept()
    }

    func ordering(_ other: any KeySource) -> (any KeySource)? {
        guard range == nil, let other = other as? UpdateTimes else { return nil }
        return UpdateTimes(within: other.range, isDescending: isDescending)
    }

    func open(in context: ReadContext) throws -> any OpenKeySource { try OpenTimes(self, context) }

    /// The source in a plan.
    var description: String {
        let times = "times of \(Entity.schema.name)" + (range.map { " within \($0.literal(isSwift: false))" } ?? "")
        return isDescending ? "\(times), latest first" : times
    }

    /// The query for the stamps, in the order of the source.
    fileprivate var stamps: Query<Stamp> {
        let query = range.map { Stamp.filter(\.updatedAt >= $0.lowerBound && \.updatedAt <= $0.upperBound) } ?? Query()
        return isDescending ? query.sorted(by: \.updatedAt.desc) : query.sorted(by: \.updatedAt)
    }
}

/// The times of entities in a transaction.
private final class OpenTimes<Entity: EntityModelProtocol>: OpenKeySource {
    typealias Stamp = EntityMetadata<Entity>

    private let source: UpdateTimes<Entity>
    private let context: ReadContext
    /// The stamps; nil if the store has none.
    private let table: RecordTable?
    private var lookups: PointLookup?

    init(_ source: UpdateTimes<Entity>, _ context: ReadContext) throws {
        self.source = source
        self.context = context
        table = try context.table(for: Stamp.schema)
    }

    var description: String { source.description }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }

    func entryCount(atMost limit: Int) throws -> Int {
        guard source.range != nil else {
            return try context.table(for: Entity.schema).map { min(limit, try context.keyspace.count($0.database)) }
                ?? 0
        }
        return try source.stamps.limit(limit).count(in: context)
    }

    // MARK: Testing

    func contains(_ key: ByteView) throws -> Bool {
        guard let range = source.range else { return true }
        return try time(of: key).map(range.contains) ?? false
    }

    func place(of key: ByteView) throws -> [UInt8]? {
        guard let time = try time(of: key) else { return source.range == nil ? [1] + key.copy() : nil }
        if let range = source.range, !range.contains(time) { return nil }
        let bytes = KeyWriter.bytes(of: time)
        return [0] + (source.isDescending ? bytes.map { ~$0 } : bytes) + key.copy()
    }

    /// Returns the time of an entity; nil if it has none.
    fileprivate func time(of key: ByteView) throws -> Date? {
        guard let table else { return nil }
        if lookups == nil { lookups = try context.keyspace.lookups(in: table.database) }
        guard let value = try lookups?.value(of: key) else { return nil }
        return try Stamp.decode(Entry(key, value), table).updatedAt
    }

    // MARK: Walking

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        guard let key else { return try walk(over: source.stamps, restAfter: nil) }
        if try ByteView.with(key, { try time(of: $0) }) != nil {
            var stamps = source.stamps
            stamps.continuation = .key(key)
            return try walk(over: stamps, restAfter: nil)
        }
        guard source.range == nil, try context.hasRecord(Entity.schema, key) else { return nil }
        return try walk(over: nil, restAfter: key)
    }

    /// - Parameters:
    ///   - stamps: The query for the stamps; nil if the walk begins after them.
    ///   - start: The key of the entity without a time after which the walk begins.
    private func walk(over stamps: Query<Stamp>?, restAfter start: [UInt8]?) throws -> TimeWalk<Entity> {
        let stamped = try stamps.flatMap { try $0.foundKeys(by: $0.keyPlan(in: context), in: context) }
        guard source.range == nil else { return TimeWalk(stamped, rest: nil) }
        var entities = Query<Entity>().order(.ascending)
        entities.continuation = start.map { .key($0) }
        return TimeWalk(stamped) { [context] in
            try entities.foundKeys(by: entities.keyPlan(in: context), in: context)
        } hasTime: {
            try self.time(of: $0) != nil
        }
    }
}

/// A walk over the entities with a time, and then over the entities without a time.
private final class TimeWalk<Entity: EntityModelProtocol>: SourceKeyWalk {
    private var stamped: FoundKeys<EntityMetadata<Entity>>?
    /// Returns the keys of all entities; nil for the entities with a time alone.
    private let findEntities: (() throws -> FoundKeys<Entity>?)?
    private let hasTime: (ByteView) throws -> Bool
    private var entities: FoundKeys<Entity>?
    private let candidates = EntryBuffer()

    init(
        _ stamped: FoundKeys<EntityMetadata<Entity>>?, rest findEntities: (() throws -> FoundKeys<Entity>?)?,
        hasTime: @escaping (ByteView) throws -> Bool = { _ in true }
    ) {
        self.stamped = stamped
        self.findEntities = findEntities
        self.hasTime = hasTime
    }

    func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
        if let stamped, try stamped.read(into: keys, atMost: limit) { return true }
        stamped = nil
        guard let findEntities else { return false }
        if entities == nil { entities = try findEntities() }
        let start = keys.count
        while keys.count == start {
            candidates.removeAll()
            guard let entities, try entities.read(into: candidates, atMost: limit) else { return false }
            for index in 0..<candidates.count where try !hasTime(candidates[index].key) {
                keys.append(key: candidates[index].key)
            }
        }
        return true
    }
}

extension ClosedRange<Date> {
    /// The range in a plan or as Swift.
    func literal(isSwift: Bool) -> String {
        "\(TroveCoding.literal(lowerBound, isSwift: isSwift))...\(TroveCoding.literal(upperBound, isSwift: isSwift))"
    }
}

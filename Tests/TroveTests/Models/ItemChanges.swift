// Random changes of items in a store, and what they have changed.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

/// A store of items that random writes change.
final class ItemChanges {
    let store: Store
    private let notices = Notices()
    private let observation: CommitObservation

    private final class Notices: Sendable {
        private let changes = Monitor(ChangedKeys())

        func add(_ notice: CommitNotice) { changes.withLock { $0.formUnion(notice.changedKeys) } }

        func take() -> ChangedKeys {
            changes.withLock { changes in
                defer { changes = ChangedKeys() }
                return changes
            }
        }
    }

    init() throws {
        store = try Store.temporary(records: [Item.self])
        observation = store.catalog.hub.add { [notices] in notices.add($0) }
    }

    /// Returns the keys that may have changed since the last call.
    func take() -> ChangedKeys.Keys { notices.take().keys(of: Item.schema.keyPrefix) }

    /// Writes a few random changes, or many.
    func write(using generator: inout SeededGenerator) throws {
        try store.write { try Self.write(in: $0, using: &generator) }
    }

    static func write(in context: TransactionContext, using generator: inout SeededGenerator) throws {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0:
            try Item.query(group: Int.random(in: -2..<3, using: &generator)).delete(in: context)
        case 1:
            for item in Item.samples(using: &generator) where Bool.random(using: &generator) {
                try context.insert(item)
            }
        case 2:
            struct Undone: Error {}
            try? context.nested { context in
                try change(in: context, using: &generator)
                throw Undone()
            }
        default:
            for _ in 0..<Int.random(in: 1...4, using: &generator) { try change(in: context, using: &generator) }
        }
    }

    /// Inserts, replaces, saves again, or removes an item.
    private static func change(in context: TransactionContext, using generator: inout SeededGenerator) throws {
        let (group, name) = (Int.random(in: -2..<3, using: &generator), Item.strings.sample(&generator))
        var item = Item.sample(group: group, name: name, using: &generator)
        let stored = try context.get(Item.self, key: item.indexKey)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: try context.delete(Item.self, key: item.indexKey)
        case 1:
            if let stored { try context.insert(stored) }
        case 2:
            if let stored { item = stored }
            item.age = .random(in: -2...6, using: &generator)
            try context.insert(item)
        default: try context.insert(item)
        }
    }
}

extension Item {
    /// The record's bytes: equal for equal contents, also of NaN.
    var bytes: [UInt8] { ((try? currentBytes()).map { $0.key + [0xFF] + $0.fields }) ?? [] }
    var keyBytes: [UInt8] { KeyWriter.bytes(of: indexKey) }
}

/// A random query with an order.
struct RandomItemQuery {
    var query: Query<Item>

    init(_ leaves: [Meaning], using generator: inout SeededGenerator) {
        let meaning = Meaning.nested(depth: Int.random(in: 0...2, using: &generator), leaves, using: &generator)
        query = Bool.random(using: &generator) ? Item.filter(meaning.filter) : Query()
        if Int.random(in: 0..<4, using: &generator) == 0 { query = query.filter(where: { $0.age % 2 == 0 }) }
        let order = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            let property = OrderedProperty.all.sample(&generator)
            return Bool.random(using: &generator) ? property.key.desc : property.key
        }
        if !order.isEmpty {
            query = query.sorted(by: order)
        } else if Bool.random(using: &generator) {
            query = query.order([KeyOrder.ascending, .descending].sample(&generator))
        } else if Int.random(in: 0..<6, using: &generator) == 0 {
            query = query.sorted { $0.name.count < $1.name.count }
        }
        if Bool.random(using: &generator) { query = query.limit(Int.random(in: 0...12, using: &generator)) }
        if Int.random(in: 0..<6, using: &generator) == 0 {
            query = query.offset(Int.random(in: 0...3, using: &generator))
        }
    }
}

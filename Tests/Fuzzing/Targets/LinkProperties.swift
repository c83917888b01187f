// The properties of the links of a store, whatever bytes its tables hold. Every statement succeeds or throws a typed
// error. If a check finds nothing, every statement succeeds.
//
//     input = edit*
//     edit  = table · entry · action · place · byte     a byte each, modulo the number of choices
//
// The actions change a byte of a key or of a value, cut a key or a value, remove an entry, or add one. A changed record
// of a link gets a new checksum with every other value of `action`.

import Foundation
import LMDB
import Trove
import TroveCoding
import TroveTestSupport

enum LinkProperties {
    static func check(_ input: [UInt8]) throws {
        let sample = try LinkSample.sound.get()
        let directory = try TemporaryDirectory()
        let path = directory.path("links")
        try Data(sample.bytes).write(to: URL(fileURLWithPath: path))
        try sample.apply(input, to: path)
        guard let store = try valueOrStoreError({ try open(path) }) else { return }
        let differences = try valueOrStoreError { try store.check() }
        let isSound = differences.map(\.isEmpty) ?? false
        let lines = try valueOrStoreError { try dump(store) }
        try require(!isSound || lines != nil, "a store without a finding has no dump")
        if isSound { try checkLoading(lines ?? [], directory.path("loaded")) }
        for statement in statements {
            let done: Void? = try valueOrStoreError { try statement(store) }
            try require(done != nil || !isSound, "a statement fails on a store without a finding")
        }
        if isSound { try require(try store.check().isEmpty, "statements on a sound store leave a finding") }
        _ = try valueOrStoreError { try store.rebuild() }
        _ = try valueOrStoreError { try store.relationNotes() }
        _ = try valueOrStoreError { try Store.salvage(from: path, to: directory.path("salvaged")) }
    }

    static func open(_ path: String) throws -> Store {
        try Store(
            path: path, records: [LinkedNode.self], options: StoreOptions(mapSize: 1 << 22, durability: .noSync))
    }

    private static func dump(_ store: Store) throws -> [String] {
        try store.read { context in
            var lines: [String] = []
            try context.forEachDumpLine(of: context.storedTypes()) { lines.append($0) }
            return lines
        }
    }

    /// Checks that a dump is loaded as the same links.
    private static func checkLoading(_ lines: [String], _ path: String) throws {
        var rest = lines.makeIterator()
        guard try valueOrStoreError({ try Store.create(at: path) { rest.next() } }) != nil else {
            throw Violation("the dump of a store without a finding is not loaded")
        }
        try require(try dump(open(path)) == lines, "a loaded dump has other links")
    }

    private static var statements: [(Store) throws -> Void] {
        (UInt8(0)..<3).flatMap { id -> [(Store) throws -> Void] in
            let node = LinkedNode(id: id)
            return [
                { try LinkedNode(id: id, next: .id(2), children: .ids([2, 0, 7]), partner: .id(1)).save(to: $0) },
                { try LinkedNode(id: id, follows: .ids([3, 1, 2]), friends: .ids([0, 3])).save(to: $0) },
                { try LinkedNode(id: id, followers: .appending(ids: [4, 5]), likes: .ids([1])).save(to: $0) },
                { try LinkedNode(id: id, parent: .id(1), favorite: .id(2)).save(to: $0) },
                { try node.detach(\.$children, in: $0) },
                { try node.detach(\.$friends, ids: [1, 2], in: $0, ignoringDamage: true) },
                { try node.delete(\.$likes, from: $0) },
                { try $0.delete(LinkedNode.self, key: id, ignoringDamage: id == 1) },
            ]
        }
    }

    /// Returns the result of the closure; nil if it throws a ``StoreError`` or a ``LoadError``. Any other error is a
    /// violation.
    static func valueOrStoreError<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch is StoreError {
            return nil
        } catch is LoadError {
            return nil
        } catch {
            throw Violation("\(error)")
        }
    }
}

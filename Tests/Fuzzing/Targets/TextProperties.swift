// The properties of full-text indexes whose rows have any bytes. Every statement succeeds or throws a typed error. If a
// check finds nothing, every search finds what it finds in the undamaged store, and every statement succeeds.
//
//     input = edit*
//     edit  = table · row · action · place · byte     a byte each, modulo the number of choices
//
// The actions change a byte of a key or of a value, cut a key or a value, remove a row, or add one. A changed row gets
// a new checksum with every other value of `action`.

import Foundation
import Trove
import TroveTestSupport

enum TextProperties {
    static func check(_ input: [UInt8]) throws {
        let sample = try TextSample.sound.get()
        let directory = try TemporaryDirectory()
        let path = directory.path("texts")
        try Data(sample.bytes).write(to: URL(fileURLWithPath: path))
        try sample.apply(input, to: path)
        guard let store = try LinkProperties.valueOrStoreError({ try TextSample.open(path) }) else { return }
        let differences = try LinkProperties.valueOrStoreError { try store.check() }
        let isSound = differences.map(\.isEmpty) ?? false
        let expected = try Self.expected.get()
        for (number, search) in searches.enumerated() {
            let found = try LinkProperties.valueOrStoreError { try search(store) }
            guard isSound else { continue }
            try require(found == expected[number], "search \(number) finds \(found ?? "nothing") without a finding")
        }
        for statement in statements {
            let done: Void? = try LinkProperties.valueOrStoreError { try statement(store) }
            try require(done != nil || !isSound, "a statement fails on a store without a finding")
        }
        if isSound { try require(try store.check().isEmpty, "statements on a sound store leave a finding") }
        _ = try LinkProperties.valueOrStoreError { try Store.verify(path: path).findings.count }
        _ = try LinkProperties.valueOrStoreError { try Store.salvage(from: path, to: directory.path("salvaged")) }
        guard try LinkProperties.valueOrStoreError({ try store.rebuild() }) != nil else {
            throw Violation("an index cannot be built again")
        }
        try require(try store.check().isEmpty, "a rebuilt index has a finding")
    }

    /// The results of the searches in the undamaged store.
    private static let expected = Result {
        let sample = try TextSample.sound.get()
        let directory = try TemporaryDirectory()
        let path = directory.path("texts")
        try Data(sample.bytes).write(to: URL(fileURLWithPath: path))
        let store = try TextSample.open(path)
        return try searches.map { try $0(store) }
    }

    private static let typed = [
        "all", "all -third", "\"all of\" w3", "third OR n7 OR 東京", "title:all", "n1*", "\"all of n5*\"", "über w1^3",
        "thrid~ alll~", "tihrd~2",
    ]

    /// The searches, each with its keys and scores.
    private static var searches: [@Sendable (Store) throws -> String] {
        var searches: [@Sendable (Store) throws -> String] = []
        for text in typed {
            searches.append { store in
                let hits = try LetteredNote.matching(text).limit(12).hits(in: store)
                return hits.map { "\($0.record.id) \($0.score)" }.joined(separator: ", ")
            }
            searches.append { store in "\(try LetteredNote.matching(text).keys(in: store).sorted())" }
        }
        searches.append { store in
            "\(try LetteredNote.matching("title 3", index: LetteredNote.titles).keys(in: store).sorted())"
        }
        searches.append { store in
            try store.read { context in
                let words = try ["", "n", "t"].map {
                    try context.words(of: LetteredNote.self, beginning: $0, limit: 5)
                }
                return "\(words) \(try context.suggestions(for: "thrid alll", of: LetteredNote.self))"
            }
        }
        searches.append { store in
            let hits = try LetteredNote.matching("all \"w3 über\" OR third", index: LetteredNote.gathered).hits(
                in: store)
            return hits.map { "\($0.record.id) \($0.score)" }.joined(separator: ", ")
        }
        searches.append { store in
            let query = TextQuery<LetteredNote>.near("of all", within: 2).preferring("w2")
            return "\(try LetteredNote.matching(query).limit(5).keys(in: store))"
        }
        return searches
    }

    private static let statements: [@Sendable (Store) throws -> Void] = [
        { try $0.insert(LetteredNote(id: 3, title: "all new", lines: ["w1"])) },
        { try $0.insert(LetteredNote(id: 200, title: "all third n7", lines: [])) },
        { try $0.delete(LetteredNote.self, key: 4) },
        { store in
            try store.write { context in
                try context.insert(contentsOf: (0..<20).map { LetteredNote.note($0 * 3) })
                _ = try LetteredNote.matching("all").limit(3).hits(in: context)
                try? context.nested { nested in
                    try LetteredNote.matching("w2").delete(in: nested)
                    throw CancellationError()
                }
                try context.delete(LetteredNote.self, key: 9)
            }
        },
        { try LetteredNote.filter(.matches("third")).limit(5).update(in: $0) { $0.title += " more" } },
        { try $0.delete(LetteredNote.self, key: 5, ignoringDamage: true) },
        { try $0.delete(LetteredNote.self, key: 6, ignoringDamage: true) },
        { try LetteredNote.filter(.matches("w2")).regather(in: $0) },
    ]
}

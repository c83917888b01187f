// Trove's full-text index, used as Docs/FullText.md describes.

import Trove

final class TroveSearchingPeer: SearchingPeer, @unchecked Sendable {
    private let path: String
    private let options: StoreOptions
    private var store: Store

    init(at place: Place) throws {
        path = place.file.path
        options = StoreOptions(durability: place.isDurable ? .full : .noSync)
        store = try Store(path: path, options: options)
    }

    func insert(_ entries: [Entry]) throws { try save(entries) }

    func replace(_ entries: [Entry]) throws { try save(entries) }

    func insert(_ entries: [EarlierEntry]) throws { try save(entries) }

    /// Builds the index by opening the store with ``Entry``. A process has a single declaration of a stored type at a
    /// time, so the store must be closed first.
    func buildIndex() throws {
        try store.close()
        store = try Store(path: path, records: [Entry.self], options: options)
    }

    func insert(_ entries: [DatedEntry]) throws { try save(entries) }

    func insert(_ entries: [PartEntry]) throws { try save(entries) }

    private func save<Record: IndexKeyRecord>(_ records: [Record]) throws {
        try store.write { context in
            for record in records { try context.insert(record) }
        }
    }

    func entryCount() throws -> Int {
        try Entry.query().count(in: store) + DatedEntry.query().count(in: store) + PartEntry.query().count(in: store)
    }

    func count(_ query: WordQuery) throws -> Int { try Entry.matching(query.textQuery()).count(in: store) }

    func best(_ query: WordQuery, atMost limit: Int) throws -> [Entry] {
        try Entry.matching(query.textQuery()).limit(limit).resolve(in: store)
    }

    func snippets(_ query: WordQuery, atMost limit: Int) throws -> [String] {
        try Entry.matching(query.textQuery()).limit(limit).hits(in: store).map { hit in
            hit.snippet(of: \.body, words: 24).marked("<b>", "</b>", escapesHTML: false)
        }
    }

    func best(_ query: WordQuery, of year: Int, atMost limit: Int) throws -> [DatedEntry] {
        try DatedEntry.matching(query.textQuery()).filter(\.year == year).limit(limit).resolve(in: store)
    }

    func latest(_ query: WordQuery, atMost limit: Int) throws -> [DatedEntry] {
        try DatedEntry.filter(.matches(query.textQuery())).sorted(by: \.year.desc).limit(limit).resolve(in: store)
    }

    func best(near word: String, atMost limit: Int) throws -> [Entry] {
        try Entry.matching(.fuzzy(word, edits: 2)).limit(limit).resolve(in: store)
    }

    func answer(typed: String) throws -> Int {
        try store.read { context in
            let words = try context.words(of: Entry.self, beginning: typed, limit: 5)
            let query = Entry.matching(TextQuery(typed, lastIsPrefix: true)).limit(10)
            var entries = try query.resolve(in: context)
            if entries.isEmpty, let better = try context.suggestions(for: typed, of: Entry.self, limit: 1).first {
                entries = try Entry.matching(better.text).limit(10).resolve(in: context)
            }
            return words.count + entries.count
        }
    }
}

extension TroveSearchingPeer {
    func count(withPart part: String) throws -> Int {
        try PartEntry.filter(.string(\.body, contains: part)).count(in: store)
    }

    func first(_ limit: Int, withPart part: String) throws -> [PartEntry] {
        try PartEntry.query().order(.ascending).filter(.string(\.body, contains: part)).limit(limit).resolve(in: store)
    }
}

extension WordQuery {
    fileprivate func textQuery<Record>() -> TextQuery<Record> {
        switch self {
        case .all(let words): .all(words.map { .word($0) })
        case .any(let words): .any(words.map { .word($0) })
        case .phrase(let words): .phrase(words.joined(separator: " "))
        case .prefix(let beginning): .prefix(beginning)
        }
    }
}

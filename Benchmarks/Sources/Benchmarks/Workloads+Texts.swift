// The text workloads: full-text indexes beside SQLite's FTS5.

import Foundation

extension Workload {
    static func searching(_ inputs: Inputs) -> [Workload] {
        let texts = inputs.texts
        let count = inputs.people.count
        let largeCount = count < 100_000 ? 2 * count : 10 * count
        let large = TextCollection.random(largeCount)
        // As in the design of the index: 600,000 words for a million texts. Nearly all of them occur.
        let varied = TextCollection.random(largeCount, words: largeCount * 3 / 5)
        return finding(texts) + finding(inYears: texts) + typing(texts, large) + finding(partsOf: texts)
            + writing(texts) + saving(inputs, varied) + growing(inputs, large)
    }

    static func searching(
        _ id: String, _ title: String, records: Int, target: Double?, _ work: Work, size: Size? = nil
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: work, peers: PeerKind.searching,
            baseline: .grdbFast, size: size)
    }

    /// The ranks of very common, common and less common words.
    static let bands = [0..<50, 50..<500, 500..<5000]

    // MARK: Queries

    private static func finding(_ texts: TextCollection) -> [Workload] {
        let count = texts.count < 10_000 ? 5 : 30
        let names = ["of the 50 commonest words", "of the 50th to 500th", "of the 500th to 5,000th"]
        func pairs(
            _ id: String, _ title: String, _ target: Double, _ make: @escaping @Sendable ([String]) -> WordQuery,
            _ words: @escaping @Sendable (Vocabulary) -> [[String]]
        ) -> Workload {
            let queries = Once { words(texts.vocabulary).map(make) }
            return searching(
                id, "\(title), best 10, \(texts.name)", records: count, target: target,
                .searching(
                    Searching(
                        texts: texts, prepare: { _ = queries.value },
                        run: { peer, _ in try peer.bestCounts(queries.value) })))
        }
        func phrases(_ id: String, _ band: Int, _ target: Double) -> Workload {
            let queries = Once { texts.vocabulary.phrases(count, bands[band]).map { WordQuery.phrase($0) } }
            return searching(
                id, "phrases \(names[band]), counted, \(texts.name)", records: count, target: target,
                .searching(
                    Searching(
                        texts: texts, prepare: { _ = queries.value },
                        run: { peer, _ in try peer.counts(queries.value) })))
        }
        let beginnings = Once {
            (2...4).flatMap { texts.vocabulary.beginnings((count + 2) / 3, of: $0, bands[1]) }
                .map { WordQuery.prefix($0) }
        }
        return [
            pairs("T2", "any of two \(names[0])", 0.05, { .any($0) }) { $0.pairs(count, bands[0]) },
            pairs("T2b", "any of two \(names[1])", 0.05, { .any($0) }) { $0.pairs(count, bands[1]) },
            pairs("T2r", "any of a very common and a rare word", 0.05, { .any($0) }) {
                $0.pairs(count, bands[0], 5000..<20_000)
            },
            pairs("T3", "all of two \(names[0])", 0.2, { .all($0) }) { $0.pairs(count, bands[0]) },
            pairs("T3b", "all of two \(names[1])", 0.2, { .all($0) }) { $0.pairs(count, bands[1]) },
            pairs("T3c", "all of two \(names[2])", 0.3, { .all($0) }) { $0.pairs(count, bands[2]) },
            phrases("T4", 0, 5), phrases("T4b", 1, 1), phrases("T4c", 2, 0.3),
            pairs("T4t", "phrases \(names[0])", 1.5, { .phrase($0) }) { $0.phrases(count, bands[0]) },
            searching(
                "T5", "beginnings of 2 to 4 letters, counted, \(texts.name)", records: count, target: 1,
                .searching(
                    Searching(
                        texts: texts, prepare: { _ = beginnings.value },
                        run: { peer, _ in try peer.counts(beginnings.value) }))),
            searching(
                "T5t", "the same, best 10", records: count, target: 1,
                .searching(
                    Searching(
                        texts: texts, prepare: { _ = beginnings.value },
                        run: { peer, _ in try peer.bestCounts(beginnings.value) }))),
            marking("T15", "any of two \(names[1])", texts) {
                texts.vocabulary.pairs(count, bands[1]).map { .any($0) }
            },
            marking("T15p", "phrases \(names[1])", texts) {
                texts.vocabulary.phrases(count, bands[1]).map { .phrase($0) }
            },
        ]
    }

    /// Returns a workload that makes marked parts of the best matches' texts.
    private static func marking(
        _ id: String, _ title: String, _ texts: TextCollection, _ make: @escaping @Sendable () -> [WordQuery]
    ) -> Workload {
        let queries = Once(make)
        return searching(
            id, "\(title), snippets of the best 10, \(texts.name)", records: texts.count < 10_000 ? 5 : 30, target: 1,
            .searching(
                Searching(
                    texts: texts, prepare: { _ = queries.value },
                    run: { peer, _ in try peer.markCounts(queries.value) })))
    }

    private static func finding(inYears texts: TextCollection) -> [Workload] {
        let count = texts.count < 10_000 ? 5 : 30
        let pairs = Once { texts.vocabulary.pairs(count, bands[1]) }
        return [
            searching(
                "T9", "all of two words and a year, best 10, \(texts.name)", records: count, target: 0.5,
                .searching(
                    Searching(
                        texts: texts, indexes: .wordsAndYears, prepare: { _ = pairs.value },
                        run: { peer, _ in
                            var checksum = Checksum()
                            for (number, words) in pairs.value.enumerated() {
                                checksum.add(try peer.best(.all(words), of: 1970 + number, atMost: 10).count)
                            }
                            return checksum
                        }))),
            searching(
                "T9d", "a word, the latest 20, \(texts.name)", records: count, target: 0.5,
                .searching(
                    Searching(
                        texts: texts, indexes: .wordsAndYears, prepare: { _ = pairs.value },
                        run: { peer, _ in
                            var checksum = Checksum()
                            for words in pairs.value {
                                for entry in try peer.latest(.all([words[0]]), atMost: 20) { checksum.add(entry.year) }
                            }
                            return checksum
                        }))),
        ]
    }

    // MARK: Single changes

    private static func writing(_ texts: TextCollection) -> [Workload] {
        let count = texts.count < 10_000 ? 5 : 100
        let inserts = saves(
            "insert an entry durably", texts, count, isDurable: true,
            new: { number in
                let entry = texts.entries[number * 211 % texts.count]
                return (entry.title, entry.body)
            })
        let news = saves("insert a text of 1,800 words", texts, count, new: longText(texts, count))
        let edits = saves(
            "put a word in front of a text of 1,800 words", texts, count, new: longText(texts, count),
            change: { "\(["amber", "zebra", "walnut"].randomElement() ?? "") \($0)" })
        return [
            inserts("T7", "median", 0.5, 4), inserts("T7x", "slowest", 1, 1),
            edits("T8", "median", 0.5, 1), edits("T8p", "95th percentile", 0.95, 0.5),
            news("T8n", "median", 0.5, 8), news("T8np", "95th percentile", 0.95, 1.5),
        ]
    }

    private static func longText(
        _ texts: TextCollection, _ count: Int
    ) -> @Sendable (Int) -> (String, String) {
        let entry = Once { texts.longTexts(count) }
        return { ("long text \($0)", entry.value[$0]) }
    }

    /// Returns workloads that save single entries, each in a transaction of its own. They report a quantile of the
    /// times.
    ///
    /// - Parameters:
    ///   - new: Makes the title and body of a new entry.
    ///   - change: Changes the body of an inserted entry, if that is what is measured.
    private static func saves(
        _ title: String, _ texts: TextCollection, _ count: Int, isDurable: Bool = false,
        new: @escaping @Sendable (Int) -> (title: String, body: String),
        change: (@Sendable (String) -> String)? = nil
    ) -> (_ id: String, _ note: String, _ quantile: Double, _ target: Double) -> Workload {
        { id, note, quantile, target in
            let run: @Sendable (any SearchingPeer, inout [Double]) throws -> Checksum = { peer, times in
                let first = try peer.entryCount()
                var entries = (0..<count).map { number in
                    let (title, body) = new(number)
                    return Entry(number: first + number, title: title, body: body)
                }
                if let change {
                    try peer.insert(entries)
                    for index in entries.indices { entries[index].body = change(entries[index].body) }
                }
                for entry in entries {
                    times.append(
                        try ContinuousClock().measure {
                            if change == nil { try peer.insert([entry]) } else { try peer.replace([entry]) }
                        } / .seconds(1))
                }
                return Checksum()
            }
            return searching(
                id, "\(title), \(note), \(texts.name)", records: 1, target: target,
                .searching(Searching(texts: texts, isDurable: isDurable, quantile: quantile, run: run)))
        }
    }

    // MARK: Whole collections

    /// - Parameter varied: A large collection with many different words.
    private static func saving(_ inputs: Inputs, _ varied: TextCollection) -> [Workload] {
        func save(_ id: String, _ texts: TextCollection, _ target: Double, _ size: Size?) -> Workload {
            searching(
                id, "store and index \(texts.name), one transaction", records: texts.count, target: target,
                .indexingTexts(texts, .words), size: size)
        }
        let texts = inputs.texts
        let entries = Once { texts.entries }
        let changed = Once { entries.value.map { Entry(id: $0.id, title: $0.title, body: $0.body, year: $0.year + 1) } }
        return [
            save("T1", texts, 0.6, Size(id: "T12", title: "bytes on disk after T1", target: 1.4)),
            save("T1w", inputs.glosses, 0.8, nil),
            save("T1m", varied, 0.65, nil),
            searching(
                "T11", "build an index over \(varied.name), beside storing them with it", records: varied.count,
                target: 1.2, .indexingTexts(varied, .wordsOfStored, beside: .words)),
            beside(
                "T10", "save that leaves the texts alone, beside the same without an index", texts.count, target: 1.1,
                Entry.self, PlainEntry.self,
                prepare: { store in
                    try store.insertEach(entries.value)
                    try store.insertEach(entries.value.map(PlainEntry.init))
                },
                run: { try $0.insertEach(changed.value) },
                reference: { try $0.insertEach(changed.value.map(PlainEntry.init)) }),
        ]
    }

    /// Returns the same work in a large and in a small collection.
    private static func growing(_ inputs: Inputs, _ large: TextCollection) -> [Workload] {
        let count = inputs.people.count
        let small = TextCollection.random(count < 100_000 ? count : count / 10)
        func words(_ texts: TextCollection) -> Searching {
            let queries = Once { texts.vocabulary.pairs(30, bands[1]).map { WordQuery.all($0) } }
            return Searching(
                texts: texts, prepare: { _ = queries.value },
                run: { peer, _ in try peer.bestCounts(queries.value) })
        }
        var edits: Workload.Searching?
        if case .searching(var work) = saves(
            "", large, count < 10_000 ? 5 : 100, new: longText(small, 100),
            change: { "\(["amber", "zebra", "walnut"].randomElement() ?? "") \($0)" })("", "", 0.5, 1.5).work
        {
            work.reference = small
            edits = work
        }
        var found = words(large)
        found.reference = small
        return [
            searching(
                "T13", "all of two words of the 50th to 500th among \(large.count), beside \(small.count) texts",
                records: 30, target: 1.5, .searching(found)),
            edits.map {
                searching(
                    "T13e", "put a word in front of a text of 1,800 words among \(large.count), beside \(small.count)",
                    records: 1, target: 1.5, .searching($0))
            },
        ].compactMap(\.self)
    }
}

extension SearchingPeer {
    /// Returns the numbers of matches of queries.
    fileprivate func counts(_ queries: [WordQuery]) throws -> Checksum {
        var checksum = Checksum()
        for query in queries { checksum.add(try count(query)) }
        return checksum
    }

    /// Fetches parts of the ten best matches of queries, and returns their numbers. Peers choose different parts.
    fileprivate func markCounts(_ queries: [WordQuery]) throws -> Checksum {
        var checksum = Checksum()
        for query in queries { checksum.add(try snippets(query, atMost: 10).count) }
        return checksum
    }

    /// Fetches the ten best matches of queries, and returns their numbers. Peers differ in the order of matches.
    fileprivate func bestCounts(_ queries: [WordQuery]) throws -> Checksum {
        var checksum = Checksum()
        for query in queries { checksum.add(try best(query, atMost: 10).count) }
        return checksum
    }
}

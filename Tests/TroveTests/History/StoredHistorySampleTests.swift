// Stores with a history that were written when their version of the format was current.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stored samples of a history") struct StoredHistorySampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let formats = FormatVersion.withFeatures...FormatVersion.newest

    /// The token and the time of the last commit, by format.
    private static let last: [UInt32: (token: String, seconds: Double)] = [
        2: ("4F15F0DC-6982-4288-A025-BF9394AD5779.14.b7c1c869d389567a", 817_637_755.895_844_3)
    ]

    private static let long = String(repeating: "x", count: 400)
    private static let letters = String(repeating: "l", count: 8_100)

    private typealias Commit = (sequence: UInt64, author: String?, lines: [String])

    /// The commits of a sample, with their changes in words.
    private static let commits: [Commit] = [
        (1, nil, []),
        (
            2, nil,
            [
                "inserted SampleMemo id: -1", "inserted SampleMemo id: 1", "inserted SampleMemo id: 2",
                "inserted SampleMemo id: 3", "inserted SampleMemo id: 256",
            ]
        ),
        (
            3, "sync",
            [
                "updated SampleMemo id: 1", #"deleted SampleMemo id: 2 {"title":"memo 2"}"#,
                #"inserted SamplePage (folder: "", number: 1)"#,
            ]
        ),
        // The commits 4 and 5 have changed no record: the layout of the memos has changed.
        (6, nil, ["any SampleDraft"]),
        (
            7, "東京\0",
            [
                #"deleted SampleMemo id: 1 {"title":"one","tags":null}"#, "updated SampleMemo id: 3",
                "inserted SampleMemo id: 5", #"inserted SamplePage (folder: "a", number: -5)"#,
                #"inserted SamplePage (folder: "a", number: 0)"#, #"inserted SamplePage (folder: "a", number: 300)"#,
                #"inserted SamplePage (folder: "large", number: 7)"#,
                #"inserted SamplePage (folder: "large", number: 8)"#,
                #"inserted SamplePage (folder: "large", number: 9)"#,
                #"inserted SamplePage (folder: "\#(long)", number: 0)"#,
            ]
        ),
        (
            8, "",
            [
                #"deleted SampleMemo id: 5 {"title":"five","tags":["y"]}"#,
                #"deleted SamplePage (folder: "a", number: -5) {"body":"page -5","score":0.5}"#,
                #"deleted SamplePage (folder: "a", number: 300) {"body":"page 300","score":0.5}"#,
            ]
        ),
        (
            9, "graph",
            [
                "inserted SampleBand id: 1", "inserted SampleBand id: 2", #"inserted SamplePlayer id: "Ann""#,
                #"inserted SamplePlayer id: "Bob""#, #"inserted SamplePlayer id: "Zoë""#,
                #"inserted SampleBand.players (bands: 1, players: "Ann")"#,
                #"inserted SampleBand.players (bands: 1, players: "Bob")"#,
                #"inserted SampleBand.players (bands: 1, players: "Zoë")"#,
                #"inserted SampleBand.players (bands: 2, players: "Bob")"#,
            ]
        ),
        (
            10, nil,
            [
                "deleted SampleBand id: 1", #"deleted SampleBand.players (bands: 1, players: "Ann")"#,
                #"deleted SampleBand.players (bands: 1, players: "Bob")"#,
                #"deleted SampleBand.players (bands: 1, players: "Zoë")"#,
            ]
        ),
        (
            11, "large",
            [
                "updated SampleMemo id: -1", "updated SampleMemo id: 3",
                #"deleted SampleMemo id: 256 {"title":"first","tags":["first"]}"#,
                #"inserted SamplePage (folder: "large", number: 0)"#,
                #"inserted SamplePage (folder: "large", number: 1)"#,
                #"inserted SamplePage (folder: "large", number: 3)"#,
                #"deleted SamplePage (folder: "large", number: 7) {"body":"\#(letters)","score":0.0}"#,
                #"deleted SamplePage (folder: "large", number: 8) {"body":"\#(letters)","score":0.0}"#,
                #"deleted SamplePage (folder: "large", number: 9) {"body":"\#(letters)","score":0.0}"#,
            ]
        ),
        (
            12, nil,
            [
                "deleted SampleDraft id: 01000000-0000-0000-0000-000000000000",
                "inserted SampleDraft id: 02000000-0000-0000-0000-000000000000",
            ]
        ),
        (
            13, nil,
            [
                #"deleted SamplePage (folder: "", number: 1) {"body":"","score":-0.0}"#,
                #"deleted SamplePage (folder: "a", number: 0) {"body":"page 0","score":0.5}"#,
                #"deleted SamplePage (folder: "large", number: 0) {"body":"mmmmmmmmmm","score":0.0}"#,
                #"deleted SamplePage (folder: "large", number: 1) {"body":"cccccccccc","score":0.0}"#,
                #"deleted SamplePage (folder: "large", number: 3) {"body":"aaaaaaaaaa","score":0.0}"#,
                #"deleted SamplePage (folder: "\#(long)", number: 0) {"body":null,"score":"inf"}"#,
            ]
        ),
        (14, "follower", [#"inserted SampleFollower name: "copy""#]),
    ]

    /// Returns the path of a copy of the sample; tests may change the copy.
    private func copy(ofFormat format: UInt32) throws -> String {
        try StoredSamples.copy("format-\(format)-history.trove", to: directory.path("sample.trove"))
    }

    /// Compares commits with some of the expected commits.
    private func expect(_ commits: [HistoryCommit], equal expected: [Commit]) {
        #expect(commits.map(\.sequence) == expected.map(\.sequence))
        for (commit, expected) in zip(commits, expected) {
            #expect(commit.author == expected.author, "commit \(commit.sequence)")
            #expect(commit.lines == expected.lines, "commit \(commit.sequence)")
        }
    }

    /// Compares the whole history of a sample.
    private func expectCommits(_ store: Store, ofFormat format: UInt32) throws {
        let last = try #require(Self.last[format])
        try store.read { context in
            let commits = try context.history()
            expect(commits, equal: Self.commits)
            #expect(commits.last?.token.rawValue == last.token)
            #expect(commits.last?.date.timeIntervalSinceReferenceDate == last.seconds)
            #expect(zip(commits, commits.dropFirst()).allSatisfy { $0.date <= $1.date })
            #expect(Set(commits.map(\.token)).count == commits.count)
            #expect(try context.historyToken == commits.last?.token)
            for (index, commit) in commits.enumerated() {
                #expect(try context.history(after: commit.token).map(\.token) == commits[(index + 1)...].map(\.token))
            }
            try expectTombstones(commits)
            // The stored token is the position after the eighth commit.
            let follower = try #require(try SampleFollower.get(in: context, name: "copy"))
            #expect(follower.token == commits.first { $0.sequence == 8 }?.token)
            let token = try #require(HistoryToken(rawValue: follower.token.rawValue))
            expect(try context.history(after: token), equal: Self.commits.filter { $0.sequence > 8 })
        }
    }

    /// Compares what is kept of deleted records, as their types read it.
    private func expectTombstones(_ commits: [HistoryCommit]) throws {
        func memos(_ sequence: UInt64) throws -> [Int: HistoryTombstone<SampleMemo>] {
            var memos: [Int: HistoryTombstone<SampleMemo>] = [:]
            for case .deleted(let id, let tombstone) in try changes(sequence, SampleMemo.self) { memos[id] = tombstone }
            return memos
        }
        func changes<Record: IndexKeyRecord>(
            _ sequence: UInt64, _ type: Record.Type
        ) throws -> [HistoryChange<Record>] {
            try #require(commits.first { $0.sequence == sequence }).changes(of: type)
        }
        #expect(try memos(3).keys.sorted() == [2])
        // Of a layout without tags.
        let earlier = try #require(try memos(3)[2])
        #expect(earlier[\.title] == "memo 2")
        #expect(earlier[\.tags] == nil)
        #expect(earlier[\.text] == nil)
        #expect(earlier.record == nil)
        #expect(try memos(7)[1]?[\.tags] == .some(nil))
        #expect(try memos(8)[5]?[\.tags] == ["y"])
        #expect(try memos(8)[5]?[\.text] == nil)
        #expect(try memos(11)[256]?[\.title] == "first")
        var pages: [SamplePage] = []
        for case .deleted(let key, let tombstone) in try changes(13, SamplePage.self) {
            let page = try #require(tombstone?.record)
            #expect(page.indexKey == key)
            pages.append(page)
        }
        #expect(
            pages == [
                SamplePage(folder: "", number: 1, body: "", score: -0.0),
                SamplePage(folder: "a", number: 0, body: "page 0", score: 0.5),
                SamplePage(folder: "large", number: 0, body: "mmmmmmmmmm", score: 0),
                SamplePage(folder: "large", number: 1, body: "cccccccccc", score: 0),
                SamplePage(folder: "large", number: 3, body: "aaaaaaaaaa", score: 0),
                SamplePage(folder: Self.long, number: 0, body: nil, score: .infinity),
            ])
        #expect(try changes(6, SampleDraft.self).map(\.description) == ["any"])
        #expect(try changes(9, SamplePlayer.self).map(\.key) == ["Ann", "Bob", "Zoë"])
    }

    @Test(arguments: formats) func aSample_isSound_andReadWithoutWriting(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.findings.isEmpty)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let options = StoreOptions(isReadOnly: true, verifiesChecksums: true)
            let store = try Store(path: path, records: SampleHistory.types, options: options)
            #expect(try store.read { try $0.catalogStorage().format() } == format)
            #expect(try store.info.features == [.links, .history])
            #expect(try store.check() == [])
            try expectCommits(store, ofFormat: format)
            // The changes from the beginning on lead to the stored keys.
            var keys = HistoryKeys()
            var types: Set<UInt32> = []
            for commit in try store.read({ try $0.history() }) { keys.apply(commit, any: &types) }
            #expect(types == [SampleDraft.keyPrefix])
            #expect(try keys.without(types) == store.read { try HistoryKeys(in: $0) }.without(types))
            // The stored bytes equal the bytes of commits made now.
            let made = directory.path("made.trove")
            try SampleHistory.fill(made)
            let (stored, expected) = try (historyRows(store), historyRows(Store(path: made)))
            #expect(stored.map(\.part) == expected.map(\.part))
            #expect(stored.map(\.author) == expected.map(\.author))
            #expect(stored.map(\.changes) == expected.map(\.changes))
            // The parts 1 and 2 were written before the end of the transaction.
            #expect(stored.filter { $0.commit == 11 }.map(\.part) == [0, 1, 2, 3])
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func aSample_isWrittenTo(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let store = try Store(path: path, records: SampleHistory.types)
        let token = try #require(try SampleFollower.get(in: store, name: "copy")).token
        try store.write(author: "later") { context in
            try context.delete(SampleMemo.self, key: 3)
            try context.insert(SamplePage(folder: "", number: 2, body: nil, score: 1))
            try SampleBand.delete(id: 2, from: context)
        }
        // The rules are still those of the sample.
        let lines = [
            #"deleted SampleMemo id: 3 {"title":"second","tags":["second"]}"#,
            #"inserted SamplePage (folder: "", number: 2)"#, "deleted SampleBand id: 2",
            #"deleted SampleBand.players (bands: 2, players: "Bob")"#,
        ]
        try store.read { context in
            expect(
                try context.history(after: token),
                equal: Self.commits.filter { $0.sequence > 8 } + [(15, "later", lines)])
        }
        #expect(try store.check() == [])
        try store.close()
        // A limit removes the commits of the sample, also the commit of several rows.
        let limited = try Store(path: path, options: StoreOptions(history: .keep(commits: 2)))
        for id in 10..<14 as Range<UInt8> {
            try limited.insert(SamplePage(folder: "new", number: Int16(id), body: nil, score: 0))
        }
        // And the newest commit beyond the limit.
        #expect(try limited.read { try $0.history() }.map(\.sequence) == [18, 19, 20])
        #expect(throws: StoreError.history(.expired(path: limited.path, commit: 8, oldest: 18))) {
            try limited.read { try $0.history(after: token) }
        }
        #expect(try historyRows(limited).count == 3)
        #expect(try limited.check() == [])
        #expect(try Store.verify(path: path).isSound)
    }

    @Test(arguments: formats) func aProgramWithoutTheFeature_readsTheSample(_ format: UInt32) throws {
        var options = StoreOptions()
        options.supportedFeatures.remove(.history)
        let store = try Store(path: copy(ofFormat: format), options: options)
        #expect(try SampleMemo.query().select(\.title).resolve(in: store) == ["third", "second"])
        guard
            case .file(.formatTooNew(_, _, _, let features))? = storeError({
                try store.insert(SamplePage(folder: "", number: 0, body: nil, score: 0))
            })
        else {
            Issue.record("the program writes")
            return
        }
        #expect(features == [.history])
    }
}

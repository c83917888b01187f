// Analyzers of applications: whatever their functions do while records are written, the store stays sound.

import Foundation
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

/// What the analyzer does before it makes tokens. A test sets it.
private let interference = Mutex<(@Sendable () -> Void)?>(nil)

extension TextAnalyzer {
    fileprivate static let meddling = TextAnalyzer("meddling", version: 1) { text, tokens in
        interference.withLock { $0 }?()
        for word in text.split(separator: "-", omittingEmptySubsequences: false) {
            tokens.append(String(word), at: word.startIndex..<word.endIndex)
        }
    }
}

private struct MeddlingStemmer: TextStemmer {
    let name = "meddling-stems/1"

    func stem(_ word: String) -> String {
        interference.withLock { $0 }?()
        return String(word.prefix(3))
    }
}

@IndexKeyRecord("id")
private struct Codex: Hashable {
    #FullTextIndex<Codex>(\.code, \.others, analyzer: .meddling)
    #FullTextIndex<Codex>(\.code, analyzer: .standard.stemmed(by: MeddlingStemmer()))
    #Unique<Codex>(\.number, collisions: .upsert)

    let id: Int
    var code: String
    var others: [String]
    var number: Int
}

/// A box for what is not sendable, as a careless program has it.
private final class CarelessBox: @unchecked Sendable {
    var context: TransactionContext?
    var errors: [any Error] = []
    var calls = 0
}

@Suite("Analyzers of applications", .serialized) struct CustomAnalyzerTests {
    private func interfering<R>(_ body: @escaping @Sendable () -> Void, while use: () throws -> R) rethrows -> R {
        interference.withLock { $0 = body }
        defer { interference.withLock { $0 = nil } }
        return try use()
    }

    private func codex(_ id: Int, _ code: String = "a-b-c", _ others: [String] = ["d-e", "", "b"]) -> Codex {
        Codex(id: id, code: code, others: others, number: id)
    }

    @Test func tokens_areIndexed() throws {
        let store = try Store.temporary(records: [Codex.self])
        try store.insert(contentsOf: [codex(1), codex(2, "x-y", []), codex(3, "", ["", "-", "--a"])])
        let index = "fullText(code,others by meddling/1)"
        #expect(try Codex.matching("a-b", index: index).keys(in: store) == [1])
        #expect(try Codex.matching("\"c-d\"", index: index).keys(in: store) == [])
        #expect(try Set(Codex.matching("a", index: index).keys(in: store)) == [1, 3])
        #expect(try store.check() == [])
    }

    /// A write of the same store on the same thread is refused, as anywhere in a transaction; reads are allowed.
    @Test func aFunction_thatUsesTheStore_getsATypedError() throws {
        let store = try Store.temporary(records: [Codex.self])
        try store.insert(codex(1))
        let box = CarelessBox()
        let use: @Sendable () -> Void = {
            box.calls += 1
            // The reads and writes below make words too.
            guard box.calls < 50 else { return }
            do {
                _ = try Codex.matching("a").count(in: store)
                _ = try store.get(Codex.self, key: 1)
                try store.insert(Codex(id: 90, code: "z", others: [], number: 90))
            } catch {
                box.errors.append(error)
            }
        }
        try interfering(use) {
            try store.write { context in
                try context.insert(codex(2))
                try context.insert(codex(1, "b-c"))
                try context.delete(Codex.self, key: 2)
            }
        }
        #expect(box.calls > 0 && !box.errors.isEmpty && box.errors.allSatisfy { $0 is StoreError })
        #expect(try Codex.query().keys(in: store) == [1])
        #expect(try store.check() == [])
    }

    /// The record is written, and its words are not: the transaction cannot be used at that moment.
    @Test func aFunction_thatUsesTheTransaction_getsATypedError() throws {
        let store = try Store.temporary(records: [Codex.self])
        let box = CarelessBox()
        let uses: [@Sendable (TransactionContext) throws -> Void] = [
            { try $0.insert(Codex(id: 90, code: "z", others: [], number: 90)) },
            { try $0.insert(contentsOf: [Codex(id: 91, code: "z", others: [], number: 1)]) },
            { try $0.delete(Codex.self, key: 1) },
            { _ = try Codex.matching("a").count(in: $0) },
            { _ = try $0.get(Codex.self, key: 1) },
            { _ = try $0.nested { try $0.delete(Codex.self, key: 1) } },
            { _ = try Codex.query().delete(in: $0) },
        ]
        for use in uses {
            box.errors = []
            try store.write { context in
                box.context = context
                try interfering({
                    do {
                        try box.context.map(use)
                    } catch {
                        box.errors.append(error)
                    }
                }) {
                    try context.insert(contentsOf: (1...3).map { codex($0) })
                    try context.insert(codex(2, "q-r"))
                    try context.nested { try $0.insert(codex(3, "s-t")) }
                }
                box.context = nil
                try context.insert(codex(4))
            }
            #expect(!box.errors.isEmpty && box.errors.allSatisfy { $0 is StoreError })
            #expect(try Codex.query().keys(in: store) == [1, 2, 3, 4])
            #expect(try store.check() == [])
            _ = try Codex.query().delete(in: store)
        }
    }

    @Test func aBuild_callsTheFunctionToo() throws {
        let file = try MigratedFile()
        try file.write((0..<50).map { codex($0) })
        let store = try file.open(Codex.self)
        let box = CarelessBox()
        try interfering({
            do {
                _ = try store.write { _ in }
            } catch {
                box.errors.append(error)
            }
        }) {
            try store.rebuild()
        }
        #expect(!box.errors.isEmpty && box.errors.allSatisfy { $0 is StoreError })
        #expect(try store.check() == [])
    }

    /// Positions that are left empty, empty terms, ranges of another text.
    @Test func oddTokens_areIndexed() throws {
        let odd = TextAnalyzer("odd", version: 1) { text, tokens in
            tokens.skip(.min)
            tokens.skip(300)
            tokens.append("", at: text.startIndex..<text.endIndex)
            tokens.append("\0", at: "another, longer text".endIndex..<"another, longer text".endIndex)
            tokens.append(text + text, at: text.startIndex..<text.endIndex)
            tokens.append(String(repeating: "x", count: 600), at: text.startIndex..<text.startIndex)
        }
        let tokens = odd.tokens(of: "ab")
        #expect(tokens.map(\.position) == [301, 302, 303])
        let fixture = try TextFixture()
        try fixture.write { session in
            for key in ["1", "2"] {
                try session.save(key, [tokens.map { ModelWord(text: $0.term, position: $0.position) }])
            }
        }
        #expect(try fixture.read { try TextCheck.findings(in: $0, $1) } == [])
        #expect(try fixture.contents().documents["1"]?[0].map(\.position) == [301, 302, 303])
    }
}

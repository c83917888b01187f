// A full-text index and a model of it: a dictionary of texts, from which everything is counted again.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// The words of a record, by field, each with its position.
typealias ModelText = [[ModelWord]]

struct ModelWord: Hashable {
    var text: String
    var position: Int
}

/// The contents of an index in terms of words and record keys: independent of numbers.
struct TextContents: Equatable {
    var documents: [String: ModelText] = [:]
    /// The frequencies by field of each record with a word.
    var postings: [String: [String: [UInt32]]] = [:]
    var totalLengths: [UInt64]
    var lengths: [String: UInt64] = [:]

    /// The expected contents of an index of texts.
    init(_ texts: [String: ModelText], fields: Int, keepsOrder: Bool) {
        totalLengths = [UInt64](repeating: 0, count: fields)
        for (key, text) in texts {
            documents[key] = keepsOrder ? text : text.map(Self.unordered)
            lengths[key] = UInt64(text.map(\.count).reduce(0, +))
            for (field, words) in text.enumerated() {
                totalLengths[field] += UInt64(words.count)
                for word in words {
                    postings[word.text, default: [:]][key, default: [UInt32](repeating: 0, count: fields)][field] += 1
                }
            }
        }
    }

    /// The words of a field without their order: in the order of their texts, with their frequencies as positions.
    static func unordered(_ words: [ModelWord]) -> [ModelWord] {
        Dictionary(grouping: words, by: \.text).map { ModelWord(text: $0, position: $1.count) }
            .sorted { $0.text < $1.text }
    }
}

/// An index in a store of its own.
final class TextFixture {
    static let name = TableName(keyPrefix: 0xF00D, table: TableNumber(rawValue: 1))
    static let numbersName = TableName(keyPrefix: 0xF00D, table: TableNumber(rawValue: 2))

    let fields: Int
    let keepsOrder: Bool
    private let directory: TemporaryDirectory
    private(set) var store: Store
    /// The words of the last committed transaction.
    fileprivate(set) var known: WordTable?

    init(fields: Int = 1, keepsOrder: Bool = true) throws {
        self.fields = fields
        self.keepsOrder = keepsOrder
        directory = try TemporaryDirectory()
        store = try Store(path: directory.path("text.trove"), options: StoreOptions(durability: .noSync))
    }

    var path: String { directory.path("text.trove") }

    func forgetWords() { known = nil }

    func reopen() throws {
        try store.close()
        store = try Store(path: directory.path("text.trove"), options: StoreOptions(durability: .noSync))
    }

    /// Runs a closure with the index in a write transaction, and flushes it before the commit.
    @discardableResult
    func write<R>(_ body: (TextSession) throws -> R) throws -> R {
        try store.write { context in
            let session = try TextSession(context, self)
            known = nil
            let result = try body(session)
            try session.writer.flush()
            try session.numbers.flush()
            context.noteChange()
            known = session.writer.takeWords()
            return result
        }
    }

    /// Runs a closure with the index in a read transaction.
    func read<R>(verifying: Bool = false, _ body: (TextReader, RecordNumberParts) throws -> R) throws -> R {
        try store.read { context in
            let parts = try TextParts(
                Self.name, type: "Poem", index: "fullText", fields: fields, keepsOrder: keepsOrder,
                verifiesChecksums: verifying, context.keyspace.openTable)
            let numbers = try RecordNumberParts(
                Self.numbersName, type: "Poem", verifiesChecksums: verifying, context.keyspace.openTable)
            return try body(TextReader(parts, context.keyspace), numbers)
        }
    }

    /// Returns the stored contents, read through the interfaces of queries.
    func contents() throws -> TextContents { try read { reader, numbers in try contents(reader, numbers) } }

    func contents(_ reader: TextReader, _ parts: RecordNumberParts) throws -> TextContents {
        let numbers = RecordNumbers(parts, reader.keyspace)
        var contents = TextContents([:], fields: fields, keepsOrder: keepsOrder)
        func name(_ id: UInt64) throws -> String {
            String(decoding: try #require(try numbers.key(of: id)).copy(), as: UTF8.self)
        }
        var words: [UInt64: String] = [:]
        try reader.forEachWord(startingWith: []) { _, number in
            words[number] = String(decoding: try #require(try reader.word(number)), as: UTF8.self)
            return true
        }
        let lengths = reader.lengths()
        for id in try ids(reader) {
            let key = try name(id)
            contents.lengths[key] = try lengths.length(of: id)
            contents.documents[key] = try reader.withDocument(id) { document throws(CodingError) in
                var text: ModelText = []
                for field in 0..<fields { text.append(try self.words(document.field(field).stream, words)) }
                return text
            }
        }
        for (number, word) in words {
            let cursor = try #require(try reader.postings(of: number))
            var count: UInt64 = 0
            var countsByField = [UInt64](repeating: 0, count: fields)
            while try cursor.next() != PostingCursor.end {
                let frequencies = try (0..<fields).map { try cursor.frequency(of: $0) }
                contents.postings[word, default: [:]][try name(cursor.id)] = frequencies
                count += 1
                for field in 0..<fields where frequencies[field] > 0 { countsByField[field] += 1 }
            }
            #expect(cursor.counts.all == count)
            #expect(fields == 1 || cursor.counts.byField == countsByField)
        }
        let statistics = try reader.statistics()
        contents.totalLengths = statistics.totalLengths
        #expect(statistics.documentCount == UInt64(contents.documents.count))
        #expect(statistics.wordCount == UInt64(words.count))
        return contents
    }

    private func ids(_ reader: TextReader) throws -> [UInt64] {
        var ids: [UInt64] = []
        try reader.keyspace.scan(reader.parts.documents.database, ScanRange()) { key, _ in
            ids.append(ByteView.with(key) { RowNumber.read($0) })
            return .continue
        }
        return ids
    }

    private func words(_ stream: ByteView, _ words: [UInt64: String]) throws(CodingError) -> [ModelWord] {
        var result: [ModelWord] = []
        if keepsOrder {
            var stream = OrderedStream(stream)
            while let (word, position) = try stream.next() {
                result.append(ModelWord(text: words[word] ?? "?", position: position))
            }
        } else {
            var stream = UnorderedStream(stream)
            while let (word, frequency) = try stream.next() {
                result.append(ModelWord(text: words[word] ?? "?", position: Int(frequency)))
            }
            result.sort { $0.text < $1.text }
        }
        return result
    }
}

/// An index in a write transaction, nested or not.
final class TextSession {
    let context: TransactionContext
    let writer: TextWriter
    let numbers: RecordNumbers
    let parts: TextParts
    let numberParts: RecordNumberParts

    init(_ context: TransactionContext, _ fixture: TextFixture) throws {
        self.context = context
        parts = try context.createTextParts(
            TextFixture.name, type: "Poem", index: "fullText", fields: fixture.fields, keepsOrder: fixture.keepsOrder)
        numberParts = try context.createRecordNumberParts(TextFixture.numbersName, type: "Poem")
        writer = try TextWriter(parts, context.keyspace, fixture.known ?? WordTable())
        numbers = RecordNumbers(numberParts, context.keyspace)
    }

    private init(_ context: TransactionContext, in parent: TextSession) {
        self.context = context
        (parts, numberParts, writer, numbers) = (parent.parts, parent.numberParts, parent.writer, parent.numbers)
        writer.beginNested(context.keyspace)
        numbers.beginNested(context.keyspace)
    }

    @discardableResult
    func nested<R>(_ body: (TextSession) throws -> R) throws -> R {
        var isCommitted = false
        defer {
            writer.endNested(context.keyspace, isCommitted: isCommitted)
            numbers.endNested(context.keyspace, isCommitted: isCommitted)
        }
        let result = try context.nested { try body(TextSession($0, in: self)) }
        isCommitted = true
        return result
    }

    @discardableResult
    func save(_ key: String, _ text: ModelText) throws -> Bool {
        try writer.write(try numbers.assign(Array(key.utf8))) { field, add in
            for word in text[field] { try Array(word.text.utf8).withRawSpan { try add($0, word.position) } }
        }
    }

    @discardableResult
    func delete(_ key: String) throws -> Bool {
        guard let id = try numbers.number(of: Array(key.utf8)) else { return false }
        try writer.remove(id)
        return try numbers.remove(Array(key.utf8))
    }

    var reader: TextReader { TextReader(parts, context.keyspace) }
}

/// Returns the text of fields, each given by its words.
func modelText(_ fields: String...) -> ModelText {
    fields.map { field in
        field.split(separator: " ").enumerated().map { ModelWord(text: String($1), position: $0) }
    }
}

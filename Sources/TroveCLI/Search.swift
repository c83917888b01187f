// `trove search`

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveStemming
import TroveTerminal

/// Searches the words of a type's records.
struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find records by the words of a full-text index, the most relevant first.",
        discussion: """
            The words are what a user types into a search box: swift store, "once upon a time", swift OR java, -java, \
            title:swift, stor*, databse~, swift^2. Several arguments are joined by spaces. Write -- before words that begin with -. \
            Any text is a query.

            If nothing is found, similar words that are in the records are suggested: on standard error, or with --json as \
            lines with didYouMean and records.

            Each hit is a line with its score, its key and its record. With the same score, the lower key comes first. \
            The Swift type is not needed, unless the analyzer of the index is its program's own; the analyzers of \
            languages are known. The weights of the properties are not stored: a word counts the same in each of them.

            Exit codes: 0 printed, 1 the index or a record is damaged, 2 the store could not be read, does not have the \
            type or a full-text index, or the index is not ready or has an analyzer of its program, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module.")
    var type: String

    @Argument(help: "The words.")
    var words: [String]

    @Option(help: "The maximum number of hits to print.")
    var limit = 10

    @Option(
        help: """
            The full-text index, as trove info prints it: fullText(title). Default: the first with the properties that \
            the words name.
            """)
    var index: String?

    @Option(
        help: ArgumentHelp(
            "The number of words of the parts that --snippets prints, which it implies. Default: 24.",
            valueName: "words"))
    var snippetWords: Int?

    @Flag(help: "Print the part of each property that has the most of the words.")
    var snippets = false

    @Flag(help: "Print a table with a column for the score.")
    var table = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must not be negative.") }
        if let snippetWords, snippetWords < 1 { throw ValidationError("--snippet-words must be at least 1.") }
        if table && (snippets || snippetWords != nil) {
            throw ValidationError("--table has no snippets. Give only one of them.")
        }
        if table && output.json {
            throw ValidationError("--table and --json are different forms of output. Give only one of them.")
        }
    }

    func run() throws {
        try output.run(printsRecords: true) {
            let (hits, suggestions) = try store.open(output).read { context in try search(context) }
            if !suggestions.isEmpty { return try printSuggestions(suggestions) }
            if table { return try printTable(hits) }
            for hit in hits {
                try output.printRecord(output.json ? hit.json : line(hit))
                if !output.json { for snippet in hit.snippets { try output.printRecord(line(snippet)) } }
            }
        }
    }

    /// Returns the hits, and if there are none similar words.
    private func search(_ context: ReadContext) throws -> ([StoredHit], [TextSuggestion]) {
        let stored = try context.storedType(named: type)
        let hits = try foundHits(in: stored, context)
        return (hits, hits.isEmpty && limit > 0 ? try suggestions(for: stored, context) : [])
    }

    private func foundHits(in type: StoredType, _ context: ReadContext) throws -> [StoredHit] {
        do {
            return try context.storedHits(
                of: type, matching: words.joined(separator: " "), index: index, limit: limit,
                snippetWords: snippetWords ?? (snippets ? 24 : nil), analyzers: TextAnalyzer.languages)
        } catch StoreError.schema(.noSuchIndex(let type, let index, let indexes)) {
            throw NoSuchIndex(type: type, index: index, indexes: indexes)
        }
    }

    private func suggestions(for type: StoredType, _ context: ReadContext) throws -> [TextSuggestion] {
        try context.storedSuggestions(
            for: words.joined(separator: " "), of: type, index: index, analyzers: TextAnalyzer.languages)
    }

    /// A suggestion as a JSON object.
    private struct Suggestion: Encodable {
        var didYouMean: String
        var records: Int
    }

    private func printSuggestions(_ suggestions: [TextSuggestion]) throws {
        if output.json {
            for suggestion in suggestions {
                try output.printJSONLine(Suggestion(didYouMean: suggestion.text, records: suggestion.recordCount))
            }
        } else {
            let texts = suggestions.map { "“\($0.text)”" }.joined(separator: " or ")
            try output.printNote("Nothing found. Did you mean \(texts)?")
        }
    }

    private func line(_ hit: StoredHit) -> String {
        "\(scoreText(hit))  \(FileFinding.printable(hit.key.description))  \(hit.record.json)"
    }

    /// Returns a snippet on a line of its own.
    private func line(_ snippet: StoredSnippet) -> String {
        let part = snippet.snippet
        var line = "    \(FileFinding.printable(snippet.property)): " + (part.isCutAtStart ? "…" : "")
        var position = part.text.startIndex
        for range in part.ranges {
            line += printable(part.text[position..<range.lowerBound]) + found(printable(part.text[range]))
            position = range.upperBound
        }
        return line + printable(part.text[position...]) + (part.isCutAtEnd ? "…" : "")
    }

    /// Returns a text for a single line.
    private func printable(_ text: Substring) -> String {
        FileFinding.printable(String(text.map { $0.isWhitespace ? " " : $0 }))
    }

    /// Returns a found word in color, or else in square brackets.
    private func found(_ word: String) -> String {
        let styled = TerminalStyle.found.applied(to: word, on: .output)
        return styled == word ? "[\(word)]" : styled
    }

    private func printTable(_ hits: [StoredHit]) throws {
        let rows = hits.map { hit in
            [TextTable.Cell(column: "score", text: scoreText(hit), isNumber: true)] + hit.record.cells
        }
        var table = TextTable()
        rows.forEach { table.measure($0) }
        try table.header.forEach(output.printHeading)
        for row in rows { try output.printRecord(table.line(row)) }
    }

    /// The score with four digits after the point.
    private func scoreText(_ hit: StoredHit) -> String {
        hit.score.formatted(.number.precision(.fractionLength(4)).grouping(.never).locale(Locale(identifier: "en_US")))
    }
}
#endif

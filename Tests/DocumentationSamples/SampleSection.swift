// Reads Markdown documents into sections with Swift samples.
//
// A section is the text under a heading of the first or second level. Its blocks form a single program.

/// A line of a sample, with its line number in the document.
struct SampleLine: Equatable {
    let number: Int
    let text: String
}

/// The samples under a heading.
struct SampleSection: Equatable {
    var title: String
    var blocks: [Block] = []

    /// A block of code lines, and its treatment.
    struct Block: Equatable {
        enum Treatment { case run, compileOnly }
        var treatment: Treatment
        var lines: [SampleLine]
    }

    /// An error in a document.
    struct ReadingError: Error, Equatable, CustomStringConvertible {
        let line: Int
        let message: String
        var description: String { "line \(line): \(message)" }
    }

    /// Returns the sections with samples of a document.
    ///
    /// A comment before a block sets its treatment: `<!-- sample: not compiled, REASON -->` or
    /// `<!-- sample: not run, REASON -->`. A comment that begins with `<!-- sample: setup` contains code of its own,
    /// not shown to readers; `<!-- sample: continues -->` joins a section to the previous section.
    static func sections(inMarkdown text: String) throws(ReadingError) -> [SampleSection] {
        var reader = MarkdownReader(text)
        return try reader.read()
    }
}

private struct MarkdownReader {
    private let lines: [Substring]
    private var position = 0
    private var sections: [SampleSection] = []
    private var marker: Substring?

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    mutating func read() throws(SampleSection.ReadingError) -> [SampleSection] {
        sections = [SampleSection(title: "Introduction")]
        while position < lines.count {
            let line = lines[position].drop { $0 == " " }
            position += 1
            if line.hasPrefix("# ") || line.hasPrefix("## ") {
                sections.append(SampleSection(title: String(line.drop { $0 == "#" || $0 == " " })))
            } else if line.hasPrefix("<!-- sample:") {
                try readMarker(line.dropFirst("<!-- sample:".count))
            } else if line.hasPrefix("```") {
                try readFence(language: line.dropFirst(3))
            }
        }
        if let marker { throw error("there is no block after the comment \"\(marker)\"") }
        return sections.filter { !$0.blocks.isEmpty }
    }

    private mutating func readMarker(_ rest: Substring) throws(SampleSection.ReadingError) {
        let rest = rest.drop { $0 == " " }
        if rest == "continues -->" { return joinSections() }
        guard rest == "setup" else {
            guard rest.hasSuffix(" -->") else { throw error("a sample comment ends on its own line with -->") }
            marker = rest.dropLast(4)
            return
        }
        var code: [SampleLine] = []
        while position < lines.count, lines[position] != "-->" {
            code.append(SampleLine(number: position + 1, text: String(lines[position])))
            position += 1
        }
        guard position < lines.count else { throw error("a setup comment ends with a line --> of its own") }
        position += 1
        append(SampleSection.Block(treatment: .run, lines: code))
    }

    private mutating func readFence(language: Substring) throws(SampleSection.ReadingError) {
        let indentation = lines[position - 1].prefix { $0 == " " }.count
        let start = position
        var code: [SampleLine] = []
        while position < lines.count, !lines[position].drop(while: { $0 == " " }).hasPrefix("```") {
            code.append(SampleLine(number: position + 1, text: String(lines[position].dropFirst(indentation))))
            position += 1
        }
        guard position < lines.count else { throw error("the block that begins at line \(start) has no end") }
        position += 1
        defer { marker = nil }
        guard language == "swift" else { return }
        switch marker {
        case nil:
            append(SampleSection.Block(treatment: .run, lines: code))
        case let marker? where marker.hasPrefix("not run, "):
            append(SampleSection.Block(treatment: .compileOnly, lines: code))
        case let marker? where marker.hasPrefix("not compiled, "):
            break
        case let marker?:
            throw error("unknown sample comment \"\(marker)\"")
        }
    }

    /// Removes the section that has just begun, so that its blocks belong to the previous section.
    private mutating func joinSections() {
        while sections.count > 1, sections.last?.blocks.isEmpty == true { sections.removeLast() }
    }

    private mutating func append(_ block: SampleSection.Block) {
        sections[sections.count - 1].blocks.append(block)
    }

    private func error(_ message: String) -> SampleSection.ReadingError {
        SampleSection.ReadingError(line: position, message: message)
    }
}

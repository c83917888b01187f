// The code of a section, sorted into the separate parts of a Swift file: imports, declarations, statements.

/// The sorted code of a section.
///
/// A line at the left margin with a declaration's keyword begins a declaration, which ends with its closing brace.
/// Everything else is a statement. Declarations become private to their file, so that every section may have its own
/// `Person`.
struct SampleCode {
    private(set) var imports: Set<String> = []
    private(set) var declarations: [String] = []
    private(set) var statements = Statements()

    /// The statements from the first block that awaits: there the asynchronous overloads are called.
    private(set) var asyncStatements: Statements?

    /// Lines of code, and the names bound by them.
    struct Statements {
        private(set) var lines: [String] = []
        private var names: [String] = []

        mutating func add(_ lines: [String], binding names: [String]) {
            self.lines += lines
            self.names += names
        }

        /// The lines, and an additional line for each name, to avoid warnings about unused names.
        var closedLines: [String] { lines + names.map { "_ = \($0)" } }
    }

    private let document: String

    init(_ section: SampleSection, document: String) {
        self.document = document
        for (index, block) in section.blocks.enumerated() {
            add(block, number: index + 1)
        }
    }

    private mutating func add(_ block: SampleSection.Block, number: Int) {
        var body: [String] = []
        var names: [String] = []
        var position = 0
        while position < block.lines.count {
            let line = block.lines[position]
            if line.text.hasPrefix("import ") {
                imports.insert(line.text)
                position += 1
            } else if Self.beginsDeclaration(line.text) {
                let end = Self.endOfDeclaration(block.lines, from: position)
                declarations.append("// \(document):\(line.number)")
                declarations += block.lines[position..<end].enumerated().map { offset, line in
                    prepare(line, isTopLevel: !line.text.hasPrefix(" "))
                }
                declarations.append("")
                position = end
            } else {
                names += Self.names(boundBy: line.text)
                body.append(prepare(line, isTopLevel: false))
                position += 1
            }
        }
        guard body.contains(where: { !$0.isEmpty }) else { return }
        let place = "// \(document):\(block.lines.first?.number ?? 0)"
        switch block.treatment {
        case .run:
            if asyncStatements != nil || body.contains(where: Self.waits) {
                asyncStatements = asyncStatements ?? Statements()
                asyncStatements?.add([place] + body, binding: names)
            } else {
                statements.add([place] + body, binding: names)
            }
        case .compileOnly:
            let effects = body.contains(where: Self.waits) ? "async throws" : "throws"
            let function = "compiledOnly\(number)"
            let lines = body.map { "    " + $0 } + names.map { "    _ = \($0)" }
            statements.add([place, "func \(function)() \(effects) {"] + lines + ["}"], binding: [function])
        }
    }
}

extension SampleCode {
    private static let declarationKeywords: Set<Substring> = [
        "struct", "enum", "class", "actor", "protocol", "extension", "func", "typealias",
    ]
    private static let modifiers: Set<Substring> = ["public", "package", "internal", "private", "fileprivate", "final"]

    private static func beginsDeclaration(_ line: String) -> Bool {
        if line.hasPrefix("@") { return true }
        let words = line.split(separator: " ").drop { modifiers.contains($0) }
        return !line.hasPrefix(" ") && words.first.map(declarationKeywords.contains) ?? false
    }

    /// Returns the position after the line with the declaration's last brace.
    private static func endOfDeclaration(_ lines: [SampleLine], from start: Int) -> Int {
        var depth = 0
        var hasOpened = false
        for position in start..<lines.count {
            for character in lines[position].text {
                if character == "{" { depth += 1; hasOpened = true }
                if character == "}" { depth -= 1 }
            }
            if depth == 0, hasOpened || lines[position].text.contains("typealias ") { return position + 1 }
        }
        return lines.count
    }

    /// Returns the names bound by a statement at the left margin.
    private static func names(boundBy line: String) -> [String] {
        guard line.hasPrefix("let ") || line.hasPrefix("var ") else { return [] }
        let pattern = line.dropFirst(4).prefix { $0 != "=" && $0 != ":" }
        return pattern.split { "(), ".contains($0) }.map(String.init).filter { $0 != "_" }
    }

    private static func waits(_ line: String) -> Bool {
        line.contains("await ")
    }

    /// Returns a line as it appears in the generated file.
    private func prepare(_ line: SampleLine, isTopLevel: Bool) -> String {
        var text = line.text
        if isTopLevel { text = Self.makePrivate(text) }
        text = Self.relocateStore(text)
        return checkPrint(text, line: line.number)
    }

    /// Changes `public struct Person {` to `private struct Person {`. An extension takes no access modifier, unless it
    /// extends a generic type for a sample's own type.
    private static func makePrivate(_ line: String) -> String {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let attributes = words.prefix { $0 == "@Test" || $0 == "@Suite" }
        let rest = words.dropFirst(attributes.count).drop { modifiers.contains($0) && $0 != "final" }
        let keyword = rest.first { $0 != "final" }
        guard let keyword, declarationKeywords.contains(keyword) else { return line }
        let access: [Substring] = keyword == "extension" && !line.contains("<") ? [] : ["private"]
        return (attributes + access + rest).joined(separator: " ")
    }

    /// Changes `Store(path: "people.trove")` to a file in the sample's own temporary directory, and so files of SQLite
    /// that are attached or exported.
    ///
    /// The path of a store may be on a line of its own.
    private static func relocateStore(_ line: String) -> String {
        for call in [".file(\"", "exportSQLite(to: \""] {
            guard let found = line.firstRange(of: call), let quote = line[found.upperBound...].firstIndex(of: "\"")
            else { continue }
            let (before, path) = (line[..<found.lowerBound], line[found.upperBound..<quote])
            return "\(before)\(call.dropLast())samplePath(\"\(path)\")\(line[line.index(after: quote)...])"
        }
        guard let label = line.firstRange(of: "path: \"") else { return line }
        let (before, rest) = (line[..<label.lowerBound], line[label.upperBound...])
        guard before.hasSuffix("Store(") || before.allSatisfy(\.isWhitespace), let quote = rest.firstIndex(of: "\"")
        else { return line }
        return before + "path: samplePath(\"" + rest[..<quote] + "\")" + rest[rest.index(after: quote)...]
    }

    /// Changes `print(x)  // text` to a check that x is printed as that text.
    private func checkPrint(_ line: String, line number: Int) -> String {
        guard let call = line.firstRange(of: "print("), let end = line.firstRange(of: ")  // ") else { return line }
        let before = line[..<call.lowerBound]
        guard before.allSatisfy({ $0 == " " }) || before.hasSuffix("try ") else { return line }
        let value = line[call.upperBound..<end.lowerBound]
        let expected = line[end.upperBound...]
        return before + "expectOutput(\(value), is: #\"\(expected)\"#, at: \"\(document):\(number)\")"
    }
}

// A generated Swift file for each section, and a file with a list of all sections.

/// A generated file next to the documentation tests.
struct SampleFile: Hashable {
    let name: String
    let text: String

    /// Returns the files for all documents, given as path and text.
    static func files(for documents: [(path: String, text: String)]) throws -> [SampleFile] {
        var files: [SampleFile] = []
        var list: [String] = []
        for document in documents {
            let sections: [SampleSection]
            do {
                sections = try SampleSection.sections(inMarkdown: document.text)
            } catch {
                throw DocumentError(description: "\(document.path): \(error)")
            }
            for section in sections {
                let namespace = identifier(document.path) + "_" + words(section.title)
                let code = SampleCode(section, document: document.path)
                let text = text(code, namespace: namespace, document.path)
                files.append(SampleFile(name: namespace + ".swift", text: text))
                list.append("    Sample(\"\(document.path): \(section.title)\", run: \(namespace).run),")
            }
        }
        return files + [SampleFile(name: "AllSamples.swift", text: listing(list))]
    }

    /// An error in a document, with its path.
    struct DocumentError: Error, CustomStringConvertible {
        let description: String
    }

    private static func text(_ code: SampleCode, namespace: String, _ document: String) -> String {
        let imports = code.imports.union(["import Foundation", "import Trove"]).sorted()
        var text = header(document) + imports + [""] + code.declarations + ["enum \(namespace) {"]
        if let asyncStatements = code.asyncStatements {
            text += ["    @Sendable static func run() async throws {", "        try await begin()()", "    }", ""]
            text += ["    private static func begin() throws -> () async throws -> Void {"]
            text += indented(code.statements.lines, by: 8)
            text += ["        return {"] + indented(asyncStatements.closedLines, by: 12) + ["        }"]
        } else {
            text += ["    @Sendable static func run() throws {"] + indented(code.statements.closedLines, by: 8)
        }
        text += ["    }", "}", ""]
        if imports.contains("import TroveCrypto") { text = withEncryption(text, namespace: namespace) }
        return text.joined(separator: "\n")
    }

    /// Returns a file whose samples need the trait `Encryption`, or CryptoKit. Without it, the section does nothing.
    private static func withEncryption(_ text: [String], namespace: String) -> [String] {
        var gated = text
        gated.insert("#if canImport(CryptoKit) || Encryption", at: header("").count)
        gated.removeLast()
        return gated + ["#else", "enum \(namespace) {", "    @Sendable static func run() {}", "}", "#endif", ""]
    }

    private static func indented(_ lines: [String], by width: Int) -> [String] {
        lines.map { $0.isEmpty ? "" : String(repeating: " ", count: width) + $0 }
    }

    private static func listing(_ entries: [String]) -> String {
        (header("the documents") + ["let allSamples: [Sample] = ["] + entries + ["]", ""]).joined(separator: "\n")
    }

    private static func header(_ source: String) -> [String] {
        [
            "// The Swift samples of \(source), written by scripts/update-doc-samples: change the document, not this file.",
            "// swift-format-ignore-file", "",
        ]
    }

    /// Changes `Docs/Cookbook.md` to `Cookbook`.
    private static func identifier(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return words(name.hasSuffix(".md") ? String(name.dropLast(3)) : name)
    }

    /// Changes `Insert, replace, delete` to `InsertReplaceDelete`.
    private static func words(_ title: String) -> String {
        title.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }
}

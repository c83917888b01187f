// Expands the macros of a source text, and compares the text, the diagnostics with their positions, and the fixed
// source.

import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import TroveMacroExpansion

let macroSpecs: [String: MacroSpec] = [
    "IndexKeyRecord": MacroSpec(
        type: IndexKeyRecordExpansion.self, conformances: ["IndexKeyRecord", "Identifiable"]),
    "EntityModel": MacroSpec(
        type: IndexKeyRecordExpansion.self, conformances: ["EntityModelProtocol", "IndexKeyRecord", "Identifiable"]),
    "RecordValue": MacroSpec(type: RecordValueExpansion.self, conformances: ["RecordValue"]),
    "CloudKitRecord": MacroSpec(
        type: CloudKitRecordExpansion.self, conformances: ["CloudKitRecord", "RecordValue", "IndexKeyRecord"]),
    "Renamed": MacroSpec(type: RenamedExpansion.self),
    "Index": MacroSpec(type: IndexExpansion.self),
    "Unique": MacroSpec(type: IndexExpansion.self),
    "FullTextIndex": MacroSpec(type: IndexExpansion.self),
    "Totals": MacroSpec(type: IndexExpansion.self),
]

/// Expects the expanded text of a source, without diagnostics.
func expectExpansion(
    of source: String, _ expanded: String, macroSpecs: [String: MacroSpec] = macroSpecs,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: macroSpecs, failureHandler: record,
        fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects exactly this diagnostic, and the source after its fix-its.
func expectDiagnostic(
    _ message: MacroDiagnostic, in source: String, line: Int, column: Int, fixIts: [MacroFixIt] = [],
    fixed: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, originLine: UInt = #line,
    originColumn: UInt = #column
) {
    let diagnostic = DiagnosticSpec(
        id: message.diagnosticID, message: message.message, line: line, column: column, severity: message.severity,
        fixIts: fixIts.map {
            FixItSpec(
                message: $0.message, originatorFileID: fileID, originatorFile: filePath, originatorLine: originLine,
                originatorColumn: originColumn)
        },
        originatorFileID: fileID, originatorFile: filePath, originatorLine: originLine,
        originatorColumn: originColumn)
    expectDiagnostics(
        [diagnostic], in: source, fixed: fixed, fileID: fileID, filePath: filePath, line: originLine,
        column: originColumn)
}

/// Expects exactly these diagnostics, and the source after their fix-its.
func expectDiagnostics(
    _ diagnostics: [DiagnosticSpec], in source: String, fixed: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    assertMacroExpansion(
        source, expandedSource: expansion(of: source), diagnostics: diagnostics, macroSpecs: macroSpecs,
        fixedSource: fixed, failureHandler: record, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Compares the elements of `indexes`, regardless of white space.
func expectIndexes(of source: String, _ expected: String, location: Testing.SourceLocation = #_sourceLocation) {
    func words(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let text = expansion(of: source)
    guard let start = text.firstRange(of: "indexes: [Trove.RecordIndex<Self>] = [")?.upperBound,
        let end = text[start...].firstRange(of: "\n    ]\n")?.lowerBound
    else {
        Issue.record("there are no indexes in \(text)", sourceLocation: location)
        return
    }
    #expect(words(text[start..<end]) == words(expected), sourceLocation: location)
}

/// Returns the source with its macros expanded.
func expansion(of source: String, macroSpecs: [String: MacroSpec] = macroSpecs) -> String {
    expand(source, macroSpecs).text
}

/// Returns the diagnostics of a source.
func diagnostics(in source: String) -> [Diagnostic] { expand(source, macroSpecs).diagnostics }

/// Returns the number of diagnostics of a source.
func diagnosticCount(in source: String) -> Int { diagnostics(in: source).count }

private func expand(_ source: String, _ macroSpecs: [String: MacroSpec]) -> (text: String, diagnostics: [Diagnostic]) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "TestModule", fullFilePath: "test.swift")])
    let expanded = file.expand(
        macroSpecs: macroSpecs,
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        },
        indentationWidth: .spaces(4))
    return (expanded.description, context.diagnostics)
}

private func record(_ failure: TestFailureSpec) {
    let location = failure.location
    Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
            fileID: location.fileID, filePath: location.filePath, line: location.line, column: location.column))
}

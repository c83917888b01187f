// The few shapes that generated code is made of.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Text of Swift code.
enum SourceText {
    /// `head { … }`, or a closure `head { parameter in … }`, the lines indented.
    static func block(_ head: String, _ lines: [String], parameter: String? = nil) -> String {
        guard !lines.isEmpty else { return "\(head) {}" }
        let opening = parameter.map { "{ \($0) in" } ?? "{"
        return "\(head) \(opening)\n\(indented(lines))\n}"
    }

    /// Lines one level deeper.
    static func indented(_ lines: [String]) -> String {
        lines.joined(separator: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }

    /// A string literal.
    static func literal(_ text: String) -> String { StringLiteralExprSyntax(content: text).description }

    /// The library's choice of a coding for a type.
    static func coding(_ type: String) -> String { "Trove.fieldCoding(of: \(type).self)" }

    /// `preferred`, with as many underscores after it as it takes to be none of `taken`.
    static func name(_ preferred: String, avoiding taken: [String]) -> String {
        var name = preferred
        while taken.contains(name) { name += "_" }
        return name
    }
}

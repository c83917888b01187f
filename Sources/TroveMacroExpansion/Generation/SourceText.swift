// Building blocks of generated source text.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Text of Swift code.
enum SourceText {
    /// Returns `head { … }` or a closure `head { parameter in … }`, with the lines indented.
    static func block(_ head: String, _ lines: [String], parameter: String? = nil) -> String {
        guard !lines.isEmpty else { return "\(head) {}" }
        let opening = parameter.map { "{ \($0) in" } ?? "{"
        return "\(head) \(opening)\n\(indented(lines))\n}"
    }

    /// Returns a closure of several lines.
    static func closure(_ lines: [String]) -> String { "{\n\(indented(lines))\n}" }

    /// Returns the lines indented by one level.
    static func indented(_ lines: [String]) -> String {
        lines.joined(separator: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }

    /// Returns a string literal.
    static func literal(_ text: String) -> String { StringLiteralExprSyntax(content: text).description }

    /// Returns the expression for the library's coding of a type.
    static func coding(_ type: String) -> String { "Trove.fieldCoding(of: \(type).self)" }

    /// Returns a statement whose errors the compiler reports at the line of a directive.
    static func statement(_ text: String, at directive: String?) -> String {
        directive.map { "\($0)\n\(text)\n#sourceLocation()" } ?? text
    }

    /// Returns the statements that encode a field. For a type with a location, the coding is chosen by a statement of
    /// its own: in one expression, the compiler would choose any coding that compiles, and embed an entity as JSON.
    ///
    /// - Parameter number: A number that the other fields of the function do not have.
    static func encoding(_ type: String, _ value: String, _ number: Int, at directive: String?) -> String {
        guard let directive else { return "\(coding(type)).encode(\(value), into: &writer)" }
        let choice = "let coding\(number) = \(coding(type))"
        return statement(
            "\(choice)\n\(directive)\ncoding\(number).encode(\(value), into: &writer)", at: directive)
    }

    /// Returns `preferred`, with underscores appended until it differs from all names in `taken`.
    static func name(_ preferred: String, avoiding taken: [String]) -> String {
        var name = preferred
        while taken.contains(name) { name += "_" }
        return name
    }
}

// A statement of SQL with its arguments.

import Trove

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A statement of SQL, or a part of one, with its arguments.
///
/// A value in the interpolation becomes an argument: it is bound, and never becomes text of the statement.
///
/// ```swift
/// let adults: SQL = "SELECT name FROM \(User.self) WHERE age >= \(18) AND city IN \(cities)"
/// ```
///
/// | interpolation | becomes |
/// |---|---|
/// | `\(value)` | an argument |
/// | `\([value, value])` | a list of arguments in parentheses, for `IN` |
/// | `\(User.self)` | the quoted name of the type's table |
/// | `\(otherSQL)` | its text and its arguments |
/// | `\(raw: text)` | the text itself: never pass what a user has typed |
///
/// Statements with equal texts share a prepared statement.
public struct SQL: Hashable, Sendable {
    /// The text, with a `?` for each argument.
    public private(set) var text: String
    /// The arguments, in the order of their question marks.
    public private(set) var arguments: [SQLValue]

    /// Creates a statement.
    ///
    /// - Parameters:
    ///   - text: The text, with a `?` for each argument.
    ///   - arguments: The arguments, in the order of their question marks.
    public init(raw text: String, arguments: [SQLValue] = []) {
        self.text = text
        self.arguments = arguments
    }

    /// Returns two parts as one, without a space between them.
    public static func + (left: SQL, right: SQL) -> SQL {
        SQL(raw: left.text + right.text, arguments: left.arguments + right.arguments)
    }
}

extension SQL: ExpressibleByStringLiteral {
    /// Creates a statement without arguments.
    public init(stringLiteral text: String) { self.init(raw: text) }
}

extension SQL: ExpressibleByStringInterpolation {
    /// Creates a statement from an interpolation.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    /// The parts of a statement.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL(raw: "")
        /// The number of values beyond which a list is an argument of its own. SQLite allows some more arguments.
        private static let listLimit = 30_000

        /// Creates an interpolation without parts.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends text of the literal.
        public mutating func appendLiteral(_ text: String) { sql.text += text }

        /// Appends an argument.
        public mutating func appendInterpolation(_ value: some SQLColumn) { append(value.sqlValue) }

        /// Appends an argument, or NULL for nil.
        public mutating func appendInterpolation<Value: SQLColumn>(_ value: Value?) { append(value?.sqlValue ?? .null) }

        /// Appends a list of arguments in parentheses.
        public mutating func appendInterpolation(_ values: some Sequence<some SQLColumn>) {
            appendList(values.map(\.sqlValue))
        }

        /// Appends the bytes as one argument.
        public mutating func appendInterpolation(_ data: Data) { append(data.sqlValue) }

        /// Appends the bytes as one argument.
        public mutating func appendInterpolation(_ bytes: [UInt8]) { append(.blob(bytes)) }

        /// Appends a text as one argument.
        public mutating func appendInterpolation(_ text: String) { append(.text(text)) }

        /// Appends the quoted name of a type's table.
        public mutating func appendInterpolation<Record: IndexKeyRecord>(_ type: Record.Type) {
            sql.text += Record.schema.qualifiedName.quotedForSQL
        }

        /// Appends another part with its arguments.
        public mutating func appendInterpolation(_ part: SQL) {
            sql.text += part.text
            sql.arguments += part.arguments
        }

        /// Appends text as it is.
        ///
        /// - Parameter text: Text that the program has composed. Text of a user would be run as SQL.
        public mutating func appendInterpolation(raw text: String) { sql.text += text }

        private mutating func append(_ value: SQLValue) {
            sql.text += "?"
            sql.arguments.append(value)
        }

        private mutating func appendList(_ values: [SQLValue]) {
            if values.count > Self.listLimit, let list = SQLValue.jsonArray(of: values) {
                sql.text += "(SELECT CAST(value AS \(list.type)) FROM json_each(?))"
                sql.arguments.append(.text(list.json))
            } else {
                sql.text += "(" + Array(repeating: "?", count: values.count).joined(separator: ",") + ")"
                sql.arguments += values
            }
        }
    }
}

extension String {
    /// The text as a quoted name.
    package var quotedForSQL: String {
        "\"" + replacingScalar("\"", with: "\"\"") + "\""
    }
}

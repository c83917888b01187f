// The parser of integer literals in macro arguments.

import SwiftSyntax

/// An integer literal with an optional minus sign.
struct IntegerLiteral {
    /// The value; nil if it exceeds 64 bits.
    var value: Int64?

    init?(_ expression: ExprSyntax) {
        if let literal = expression.as(IntegerLiteralExprSyntax.self) {
            value = Self.value(literal, sign: "")
        } else if let negation = expression.as(PrefixOperatorExprSyntax.self), negation.operator.text == "-",
            let literal = negation.expression.as(IntegerLiteralExprSyntax.self)
        {
            value = Self.value(literal, sign: "-")
        } else {
            return nil
        }
    }

    private static func value(_ literal: IntegerLiteralExprSyntax, sign: String) -> Int64? {
        let digits = literal.literal.text.filter { $0 != "_" }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.hasPrefix(prefix) {
            return Int64(sign + digits.dropFirst(2), radix: radix)
        }
        return Int64(sign + digits)
    }
}

// Two more spellings of a name in the source: without backticks, and as an argument label.

import SwiftSyntax

extension TokenSyntax {
    /// The name without backticks.
    var plainName: String {
        let text = self.text
        return text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`") ? String(text.dropFirst().dropLast()) : text
    }

    /// The name as an argument label: almost every keyword is valid there without backticks.
    var argumentLabel: String {
        let plain = plainName
        let isWord = plain.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && plain.first?.isNumber == false
        return isWord && !["inout", "var", "let", "_"].contains(plain) ? plain : text
    }
}

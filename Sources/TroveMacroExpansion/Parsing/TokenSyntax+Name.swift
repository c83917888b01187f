// The two spellings of a name beside the one in the source.

import SwiftSyntax

extension TokenSyntax {
    /// The name without backticks.
    var plainName: String {
        let text = self.text
        return text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`") ? String(text.dropFirst().dropLast()) : text
    }

    /// The name as the label of an argument: almost every keyword may stand there as it is.
    var argumentLabel: String {
        let plain = plainName
        let isWord = plain.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && plain.first?.isNumber == false
        return isWord && !["inout", "var", "let", "_"].contains(plain) ? plain : text
    }
}

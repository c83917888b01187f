// Checks of `#FullTextIndex`: properties with words, and a weight for each of them.

import SwiftDiagnostics
import SwiftSyntax

extension IndexValidator {
    /// The greatest number of properties of a full-text index.
    private static let textLimit = 15
    /// The weights of properties in scores.
    private static let weights = 0.0...1_000

    /// Reports a path that is not a property with words. Returns whether there is none.
    func checkText(
        _ property: PropertyDescription, _ path: IndexedPath, _ diagnostics: inout DiagnosticList
    ) -> Bool {
        if path.isDescending || path.isOfElements || path.isOfDescendingElements {
            report(
                .orderOfWords(property.name), at: path.syntax, &diagnostics,
                fixIts: [replace(path.syntax, with: "\\.\(property.code)")])
            return false
        }
        if path.isWhole, let type = type(of: property), type.hasNoWords {
            report(.notAText(property.name, type: type.trimmedDescription), at: path.syntax, &diagnostics)
            return false
        }
        return true
    }

    /// Reports too many properties, and wrong weights. Returns whether there are none.
    func checkTexts(_ syntax: IndexSyntax, _ diagnostics: inout DiagnosticList) -> Bool {
        let properties = syntax.properties
        if properties.count > Self.textLimit {
            report(.tooManyTexts, at: properties[Self.textLimit].expression, &diagnostics)
            return false
        }
        // Only a literal can be counted. Without elements it is the default: the weight of each property is 1.
        guard let weights = syntax.weights, !weights.elements.isEmpty else { return true }
        if weights.elements.count != properties.count {
            report(.otherNumberOfWeights(properties.count), at: weights, &diagnostics)
            return false
        }
        for weight in weights.elements.map(\.expression) {
            guard let number = weight.literalNumber, !Self.weights.contains(number) else { continue }
            report(.weightOutOfRange(weight.trimmedDescription), at: weight, &diagnostics)
            return false
        }
        return true
    }
}

extension ExprSyntax {
    /// The value of a literal number; nil for other expressions.
    fileprivate var literalNumber: Double? {
        if let sign = self.as(PrefixOperatorExprSyntax.self) {
            return sign.operator.text == "-" ? sign.expression.literalNumber.map { -$0 } : nil
        }
        let text =
            self.as(IntegerLiteralExprSyntax.self)?.literal.text ?? self.as(FloatLiteralExprSyntax.self)?.literal.text
        return text.flatMap { Double($0.filter { $0 != "_" }) }
    }
}

// The parser of the arguments of `@IndexKeyRecord` and `@EntityModel`.

import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// The arguments of `@IndexKeyRecord` or `@EntityModel`.
struct RecordArguments {
    /// A key argument: its text and its literal.
    struct Key {
        var name: String
        var literal: StringLiteralExprSyntax
    }

    var validated: (value: Int64?, expression: ExprSyntax)?
    var keyPrefix: String?
    var fieldsVersion: String?
    var keys: [Key] = []
    /// The arguments for the options of an entity, with their labels.
    var entityOptions: [String] = []

    /// Whether there is any key argument, valid or not.
    private(set) var hasKeyArguments = false

    init(_ attribute: AttributeSyntax, diagnostics: inout DiagnosticList) {
        guard case .argumentList(let arguments) = attribute.arguments else { return }
        for argument in arguments {
            let expression = argument.expression
            switch argument.label?.text {
            case "validated": readValidated(expression, &diagnostics)
            case "keyPrefix": keyPrefix = Self.version("keyPrefix", expression, &diagnostics)
            case "fieldsVersion": fieldsVersion = Self.version("fieldsVersion", expression, &diagnostics)
            case "keepsMetadata", "keepsDeleted":
                entityOptions.append(argument.with(\.trailingComma, nil).trimmedDescription)
            default:
                hasKeyArguments = true
                if let literal = expression.as(StringLiteralExprSyntax.self),
                    let name = literal.representedLiteralValue
                {
                    keys.append(Key(name: name, literal: literal))
                } else {
                    rejectKey(expression, &diagnostics)
                }
            }
        }
    }

    private func rejectKey(_ expression: ExprSyntax, _ diagnostics: inout DiagnosticList) {
        guard let path = expression.as(KeyPathExprSyntax.self), let name = path.components.last?.propertyName?.plainName
        else {
            diagnostics.add(.keyNotLiteral, at: expression)
            return
        }
        let literal = StringLiteralExprSyntax(content: name)
        diagnostics.add(
            .keyIsPath(name), at: expression,
            fixIts: [.replace(expression, with: literal, .change(path.trimmedDescription, to: literal.description))])
    }

    private mutating func readValidated(_ expression: ExprSyntax, _ diagnostics: inout DiagnosticList) {
        guard !expression.is(NilLiteralExprSyntax.self) else { return }
        guard let literal = IntegerLiteral(expression) else {
            diagnostics.add(.validatedNotLiteral, at: expression)
            return
        }
        validated = (literal.value, expression)
    }

    private static func version(
        _ label: String, _ expression: ExprSyntax, _ diagnostics: inout DiagnosticList
    ) -> String? {
        guard !expression.is(NilLiteralExprSyntax.self) else { return nil }
        guard let literal = IntegerLiteral(expression) else {
            diagnostics.add(.versionNotLiteral(label), at: expression)
            return nil
        }
        guard let value = literal.value, UInt32(exactly: value) != nil else {
            diagnostics.add(.versionOutOfRange(label), at: expression)
            return nil
        }
        return expression.trimmedDescription
    }
}

// The filter equivalent to a condition. A query needs it to decide whether a partial index has all of its records.
//
// A comparison becomes a filter only if it means the same for stored bytes as in Swift, or matches fewer records there.
// Other comparisons of strings and floating-point numbers, for example, do not. A condition with any other part is
// still valid, but queries cannot use its index.

import SwiftSyntax

/// Parses the closure of a condition as comparisons of properties with literals, joined by `&&`.
struct ConditionFilter {
    /// All stored properties.
    let properties: [PropertyDescription]
    /// The name of the closure's parameter.
    private let record: String

    private init(properties: [PropertyDescription], record: String) {
        self.properties = properties
        self.record = record
    }

    /// Returns the filter; nil if the closure has no equivalent filter.
    static func description(
        of closure: ClosureExprSyntax, _ properties: [PropertyDescription]
    ) -> ConditionFilterDescription? {
        guard let record = closure.parameter, closure.statements.count == 1,
            let expression = closure.statements.first?.item.returned
        else { return nil }
        guard let filters = ConditionFilter(properties: properties, record: record).filters(expression) else {
            return nil
        }
        return filters.dropFirst().reduce(filters.first) { first, next in
            first.map {
                ConditionFilterDescription(
                    code: "(\($0.code)).and(\(next.code))", isExact: $0.isExact && next.isExact)
            }
        }
    }

    /// Returns the filters to join by `&&`; nil if a part has no filter.
    private func filters(_ expression: ExprSyntax) -> [ConditionFilterDescription]? {
        if let group = expression.as(TupleExprSyntax.self), group.elements.count == 1, let inner = group.elements.first
        {
            return inner.label == nil ? filters(inner.expression) : nil
        }
        guard let sequence = expression.as(SequenceExprSyntax.self) else { return filter([expression]).map { [$0] } }
        let parts = sequence.elements.split { $0.operatorText == "&&" }
        var all: [ConditionFilterDescription] = []
        for part in parts {
            let part = Array(part)
            if part.count == 1, let more = filters(part[0]) {
                all += more
            } else if let filter = filter(part) {
                all.append(filter)
            } else {
                return nil
            }
        }
        return all
    }

    /// Returns the filter of a single comparison; nil without a filter.
    private func filter(_ part: [ExprSyntax]) -> ConditionFilterDescription? {
        if part.count == 1 {
            let negation = part[0].as(PrefixOperatorExprSyntax.self)
            guard negation.map({ $0.operator.text == "!" }) ?? true,
                let property = property(negation?.expression ?? part[0]), property.declaredType == "Bool"
            else { return nil }
            return ConditionFilterDescription(code: "\\.\(property.code) == \(negation == nil)", isExact: true)
        }
        guard part.count == 3, let sign = part[1].operatorText, let property = property(part[0]),
            let kind = LiteralKind(part[2]), kind.allows(sign, LiteralKind.Property(property.declaredType))
        else { return nil }
        return ConditionFilterDescription(
            code: "\\.\(property.code) \(sign) \(part[2].trimmedDescription)", isExact: kind.isExact)
    }

    private func property(_ expression: ExprSyntax) -> PropertyDescription? {
        guard let access = expression.as(MemberAccessExprSyntax.self),
            access.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == record
        else { return nil }
        return properties.first { $0.name == access.declName.baseName.plainName }
    }
}

/// The kind of literal in a comparison.
private enum LiteralKind {
    case `nil`, integer, floatingPoint, string, boolean, member

    /// The type of a property, if its name is known.
    struct Property {
        let isOptional: Bool
        let kind: LiteralKind?

        init(_ type: String) {
            isOptional = type.hasSuffix("?")
            switch isOptional ? String(type.dropLast()) : type {
            case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64":
                kind = .integer
            case "Double", "Float": kind = .floatingPoint
            case "String": kind = .string
            case "Bool": kind = .boolean
            default: kind = nil
            }
        }
    }

    init?(_ expression: ExprSyntax) {
        if let negative = expression.as(PrefixOperatorExprSyntax.self), negative.operator.text == "-" {
            guard let kind = Self(negative.expression), kind == .integer || kind == .floatingPoint else { return nil }
            self = kind
        } else if expression.is(NilLiteralExprSyntax.self) {
            self = .nil
        } else if expression.is(IntegerLiteralExprSyntax.self) {
            self = .integer
        } else if expression.is(FloatLiteralExprSyntax.self) {
            self = .floatingPoint
        } else if expression.is(BooleanLiteralExprSyntax.self) {
            self = .boolean
        } else if let string = expression.as(StringLiteralExprSyntax.self),
            string.segments.allSatisfy({ $0.is(StringSegmentSyntax.self) })
        {
            self = .string
        } else if let access = expression.as(MemberAccessExprSyntax.self), access.base == nil {
            self = .member
        } else {
            return nil
        }
    }

    /// Whether equal values in Swift have the same stored bytes. Differently composed strings may be equal in Swift,
    /// and the `==` of a type's own members is unknown.
    var isExact: Bool {
        switch self {
        case .string, .member: false
        case .nil, .integer, .floatingPoint, .boolean: true
        }
    }

    /// Returns whether an operator means the same for stored bytes, or matches fewer values there.
    func allows(_ sign: String, _ property: Property) -> Bool {
        switch (self, sign) {
        case (.nil, "=="), (.nil, "!="): property.isOptional
        case (.integer, "=="): property.kind == .integer || property.kind == .floatingPoint
        case (.integer, "!="), (.boolean, "!="): property.kind == self
        case (.integer, "<"), (.integer, "<="), (.integer, ">"), (.integer, ">="):
            property.kind == .integer && !property.isOptional
        case (.floatingPoint, "=="), (.string, "=="), (.boolean, "=="): property.kind == self
        case (.member, "=="): property.kind == nil
        default: false
        }
    }
}

extension ClosureExprSyntax {
    /// The name of the closure's only parameter; nil if it has another signature.
    fileprivate var parameter: String? {
        guard let signature else { return "$0" }
        guard signature.capture == nil, case .simpleInput(let parameters)? = signature.parameterClause else {
            return nil
        }
        return parameters.count == 1 ? parameters.first?.name.text : nil
    }
}

extension CodeBlockItemSyntax.Item {
    /// The result of a closure with a single statement.
    fileprivate var returned: ExprSyntax? {
        switch self {
        case .expr(let expression): expression
        case .stmt(let statement): statement.as(ReturnStmtSyntax.self)?.expression
        case .decl: nil
        }
    }
}

extension ExprSyntax {
    fileprivate var operatorText: String? { self.as(BinaryOperatorExprSyntax.self)?.operator.text }
}

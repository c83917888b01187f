// The closure of a collision rule. The compiler checks the arguments of `#Unique` before the record has its initializer
// and the members that `@IndexKeyRecord` generates.

import SwiftSyntax

extension ExprSyntax {
    /// Returns the first use of a member of the record inside a closure that the compiler cannot resolve there.
    func earlyUse(of record: TypeContext) -> ExprSyntax? {
        let visitor = EarlyUseVisitor(record)
        visitor.walk(self)
        return visitor.use
    }
}

private final class EarlyUseVisitor: SyntaxVisitor {
    private let record: TypeContext
    private(set) var use: ExprSyntax?
    private var closureDepth = 0

    /// The names of generated functions.
    private static let generated = ["init", "query", "select", "delete", "get"]

    init(_ record: TypeContext) {
        self.record = record
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        closureDepth += 1
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) { closureDepth -= 1 }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if use == nil, closureDepth > 0, isEarly(node.calledExpression) { use = node.calledExpression }
        return .visitChildren
    }

    private func isEarly(_ called: ExprSyntax) -> Bool {
        if record.isSpelled(called.trimmedDescription) { return true }
        guard let member = called.as(MemberAccessExprSyntax.self), let base = member.base else { return false }
        return Self.generated.contains(member.declName.baseName.text) && record.isSpelled(base.trimmedDescription)
    }
}

// A condition as text: in the words of a plan, and as Swift.

/// The text of a condition on a property.
///
/// A literal such as `"== 3"` is an operator and its value, which follow the property's name or key path.
@usableFromInline
struct ConditionText: Sendable, ExpressibleByStringInterpolation {
    /// The condition in a plan, after the property's name.
    let plan: String
    /// The condition as Swift: the text before the property, and the text after it.
    private let swift: (before: String, after: String)

    /// Creates the text of an operator.
    @usableFromInline
    init(_ symbol: String, _ value: some Sendable) {
        plan = "\(symbol) \(literal(value))"
        swift = ("", " \(symbol) \(literal(value, isSwift: true))")
    }

    /// Creates the text of a function.
    ///
    /// - Parameters:
    ///   - plan: The condition in a plan.
    ///   - function: The function that creates the filter, such as `.between`.
    ///   - arguments: Its arguments after the property.
    ///   - closure: The closure after the arguments.
    @usableFromInline
    init(_ plan: String, function: String, arguments: [String] = [], closure: String = "") {
        self.plan = plan
        swift = (function + "(", arguments.map { ", " + $0 }.joined() + ")" + (closure.isEmpty ? "" : " " + closure))
    }

    @usableFromInline
    init(stringLiteral plan: String) {
        self.plan = plan
        swift = ("", " " + plan)
    }

    /// Returns the condition on a property as Swift.
    func swift(_ property: String) -> String { swift.before + "\\." + property + swift.after }
}

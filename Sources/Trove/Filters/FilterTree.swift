// A filter as a tree: conditions on single properties, combined by and, or and not.

import LMDB
import TroveCoding

/// A tree of conditions, joined by and, or and not.
enum FilterTree: Sendable {
    case condition(Condition)
    /// A condition that another table decides.
    case keys(any LookupCondition)
    /// A condition that a closure decides.
    case closure(ClosureCondition)
    case and(FilterParts)
    case or(FilterParts)
    indirect case not(FilterTree)

    /// The tree of all records.
    static let everything: FilterTree = .and(FilterParts())

    /// The parts that must all match.
    var conjuncts: [FilterTree] { if case .and(let parts) = self { parts.all } else { [self] } }

    /// Whether every record matches.
    var isEverything: Bool { if case .and(let parts) = self { parts.isEmpty } else { false } }

    /// Whether no record matches.
    private var isNothing: Bool { if case .not(.and(let parts)) = self { parts.isEmpty } else { false } }

    /// The number of `and`, `or` and `not` within each other. Planning, testing, printing and releasing a tree call
    /// themselves so often.
    var depth: Int {
        var (tree, depth) = (self, 0)
        while case .not(let part) = tree { (tree, depth) = (part, depth + 1) }
        switch tree {
        case .and(let parts), .or(let parts): return depth + 1 + parts.depth
        case .condition, .keys, .closure, .not: return depth
        }
    }

    func and(_ other: FilterTree) -> FilterTree {
        if isEverything { return other }
        if other.isEverything { return self }
        return switch (self, other) {
        case (.and(let first), .and(let second)): .and(.joined(first, second))
        case (.and(let parts), _): .and(.joined(parts, FilterParts([other])))
        case (_, .and(let parts)): .and(.joined(FilterParts([self]), parts))
        default: .and(FilterParts([self, other]))
        }
    }

    func or(_ other: FilterTree) -> FilterTree {
        if isNothing { return other }
        if other.isNothing { return self }
        return switch (self, other) {
        case (.or(let first), .or(let second)): .or(.joined(first, second))
        case (.or(let parts), _): .or(.joined(parts, FilterParts([other])))
        case (_, .or(let parts)): .or(.joined(FilterParts([self]), parts))
        default: .or(FilterParts([self, other]))
        }
    }

    /// Returns the tree of the other records.
    func complement() -> FilterTree { if case .not(let part) = self { part } else { .not(self) } }

    /// The first comparison of the tree; nil if it has none.
    var firstCondition: Condition? {
        switch self {
        case .condition(let condition): condition
        case .keys, .closure: nil
        case .and(let parts), .or(let parts): parts.all.lazy.compactMap(\.firstCondition).first
        case .not(let part): part.firstCondition
        }
    }

    /// The bits of all properties in the tree.
    var propertyBits: UInt64 {
        switch self {
        case .condition(let condition): condition.property.bit
        case .keys, .closure: 0
        case .and(let parts), .or(let parts): parts.all.reduce(0) { $0 | $1.propertyBits }
        case .not(let part): part.propertyBits
        }
    }

    /// Returns whether the tree compares an optional by order.
    ///
    /// - Parameter belowNot: Whether only comparisons below `not` count.
    func ordersOptionals(belowNot: Bool = false) -> Bool {
        switch self {
        case .condition(let condition): !belowNot && condition.bounds?.isOrderOfOptional == true
        case .keys, .closure: false
        case .and(let parts), .or(let parts): parts.all.contains { $0.ordersOptionals(belowNot: belowNot) }
        case .not(let part): part.ordersOptionals()
        }
    }

    /// Whether another table decides a condition of the tree.
    var hasKeyConditions: Bool { keyConditionCount > 0 }

    /// The number of conditions that other tables decide.
    var keyConditionCount: Int {
        switch self {
        case .condition, .closure: 0
        case .keys: 1
        case .and(let parts), .or(let parts): parts.all.reduce(0) { $0 + $1.keyConditionCount }
        case .not(let part): part.keyConditionCount
        }
    }

    /// Whether a closure decides a condition of the tree.
    var hasClosures: Bool {
        switch self {
        case .condition, .keys: false
        case .closure: true
        case .and(let parts), .or(let parts): parts.all.contains(where: \.hasClosures)
        case .not(let part): part.hasClosures
        }
    }

    /// Whether properties alone decide the tree. Otherwise only ``FilterTest`` tests it.
    var isOfProperties: Bool {
        switch self {
        case .condition: true
        case .keys, .closure: false
        case .and(let parts), .or(let parts): parts.all.allSatisfy(\.isOfProperties)
        case .not(let part): part.isOfProperties
        }
    }

    /// The parts of the conjunction that a record alone decides.
    var ofRecords: FilterTree {
        hasKeyConditions ? .and(FilterParts(conjuncts.filter { !$0.hasKeyConditions })) : self
    }

    /// Creates the test of conditions on records for a single run of a query; nil if every record matches.
    func test() -> RunTest? {
        switch self {
        case .condition(let condition): return condition.test()
        case .keys: return nil
        case .closure(let condition): return condition.test
        case .and(let parts):
            let tests = parts.all.compactMap { $0.test() }
            guard tests.count > 1 else { return tests.first }
            return { run throws(CodingError) in
                var matches = run.all
                for test in tests where matches != 0 { matches &= try test(&run) }
                return matches
            }
        case .or(let parts):
            let tests = parts.all.map { $0.test() ?? { run in run.all } }
            return { run throws(CodingError) in
                var matches: UInt64 = 0
                for test in tests where matches != run.all { matches |= try test(&run) }
                return matches
            }
        case .not(let part):
            let test = part.test() ?? { run in run.all }
            return { run throws(CodingError) in run.all & ~(try test(&run)) }
        }
    }
}

extension FilterTree: CustomStringConvertible {
    /// The filter in readable form.
    var description: String {
        switch self {
        case .condition(let condition): "\(condition.property.name) \(condition.text().plan)"
        case .keys(let condition): condition.plan
        case .closure: "a closure"
        case .and(let parts): parts.isEmpty ? "true" : parts.all.map(\.grouped).joined(separator: " and ")
        case .or(let parts): parts.all.map(\.grouped).joined(separator: " or ")
        case .not(let part): "not \(part.grouped)"
        }
    }

    private var grouped: String {
        switch self {
        case .condition, .keys, .closure, .not: description
        case .and(let parts) where parts.isEmpty: description
        case .and, .or: "(\(description))"
        }
    }
}

extension FilterTree {
    /// The filter as Swift.
    var swift: String {
        switch self {
        case .condition(let condition): condition.text().swift(condition.property.name)
        case .keys(let condition): condition.swift
        case .closure: ".where { … }"
        case .and(let parts): parts.isEmpty ? ".everything" : parts.all.map(\.swiftOperand).joined(separator: " && ")
        case .or(let parts): parts.all.map(\.swiftOperand).joined(separator: " || ")
        case .not(let part): ".not(\(part.swift))"
        }
    }

    private var swiftOperand: String {
        switch self {
        case .and(let parts) where !parts.isEmpty: "(\(swift))"
        case .or: "(\(swift))"
        default: swift
        }
    }
}

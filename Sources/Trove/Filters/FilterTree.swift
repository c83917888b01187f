// A filter as a tree: conditions on single properties, combined by and, or and not.

import LMDB
import TroveCoding

/// A tree of conditions, joined by and, or and not.
enum FilterTree: Sendable {
    case condition(Condition)
    /// A condition that another table decides.
    case keys(any KeyCondition)
    case and(FilterParts)
    case or(FilterParts)
    indirect case not(FilterTree)

    /// The tree of all records.
    static var everything: FilterTree { .and(FilterParts()) }

    /// The parts that must all match.
    var conjuncts: [FilterTree] { if case .and(let parts) = self { parts.all } else { [self] } }

    /// Whether every record matches.
    var isEverything: Bool { if case .and(let parts) = self { parts.isEmpty } else { false } }

    func and(_ other: FilterTree) -> FilterTree {
        if isEverything { return other }
        if other.isEverything { return self }
        var parts = FilterParts([self])
        if case .and(let own) = self { parts = own }
        for part in other.conjuncts { parts.append(part) }
        return .and(parts)
    }

    func or(_ other: FilterTree) -> FilterTree {
        if case .not(.and(let parts)) = self, parts.isEmpty { return other }
        var parts = FilterParts([self])
        if case .or(let own) = self { parts = own }
        parts.append(other)
        return .or(parts)
    }

    /// The first comparison of the tree; nil if it has none.
    var firstCondition: Condition? {
        switch self {
        case .condition(let condition): condition
        case .keys: nil
        case .and(let parts), .or(let parts): parts.all.lazy.compactMap(\.firstCondition).first
        case .not(let part): part.firstCondition
        }
    }

    /// The bits of all properties in the tree.
    var propertyBits: UInt64 {
        switch self {
        case .condition(let condition): condition.property.bit
        case .keys: 0
        case .and(let parts), .or(let parts): parts.all.reduce(0) { $0 | $1.propertyBits }
        case .not(let part): part.propertyBits
        }
    }

    /// Whether another table decides a condition of the tree. Then only ``FilterTest`` tests it.
    var hasKeyConditions: Bool { keyConditionCount > 0 }

    /// The number of conditions that other tables decide.
    var keyConditionCount: Int {
        switch self {
        case .condition: 0
        case .keys: 1
        case .and(let parts), .or(let parts): parts.all.reduce(0) { $0 + $1.keyConditionCount }
        case .not(let part): part.keyConditionCount
        }
    }

    /// The parts of the conjunction that only properties decide.
    var ofProperties: FilterTree {
        hasKeyConditions ? .and(FilterParts(conjuncts.filter { !$0.hasKeyConditions })) : self
    }

    /// Creates the test of conditions on properties for a single run of a query; nil if every record matches.
    func test() -> RunTest? {
        switch self {
        case .condition(let condition): return condition.test()
        case .keys: return nil
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
        case .and(let parts): parts.isEmpty ? "true" : parts.all.map(\.grouped).joined(separator: " and ")
        case .or(let parts): parts.all.map(\.grouped).joined(separator: " or ")
        case .not(let part): "not \(part.grouped)"
        }
    }

    private var grouped: String {
        switch self {
        case .condition, .keys, .not: description
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

// Relations of every form, and random statements about their entities.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// A relation to test.
struct LinkCase: Sendable, CustomTestStringConvertible {
    let declaration: LinkDeclaration
    var relation: CatalogRelation { declaration.relation }
    var testDescription: String { declaration.name }

    init(_ form: LinkForm, _ name: String, _ first: LinkEnd, _ second: LinkEnd) {
        declaration = LinkDeclaration(
            CatalogRelation(form: form, first: first, second: second), name: "Chats." + name, first: .string,
            second: .string)
    }

    private static func end(_ type: UInt32, _ property: String?, toOne: Bool = false) -> LinkEnd {
        LinkEnd(keyPrefix: type, property: property, isExclusive: toOne)
    }

    static let author = LinkCase(.pair, "Message.author", end(1, "author", toOne: true), end(2, nil))
    static let oneToOne = LinkCase(
        .pair, "Message.attachment", end(1, "attachment", toOne: true), end(3, "message", toOne: true))
    static let viewedBy = LinkCase(.list, "Message.viewedBy", end(2, nil), end(1, "viewedBy"))
    static let manyToOne = LinkCase(.list, "Message.chat", end(1, "chat", toOne: true), end(4, "messages"))
    static let manyToMany = LinkCase(.lists, "User.chats", end(2, "chats"), end(4, "users"))
    static let partner = LinkCase(
        .symmetricPair, "User.partner", end(2, "partner", toOne: true), end(2, "partner", toOne: true))
    static let friends = LinkCase(.symmetricList, "User.friends", end(2, "friends"), end(2, "friends"))
    static let all = [author, oneToOne, viewedBy, manyToOne, manyToMany, partner, friends]

    static let entities: [[UInt8]] = (0..<6).map { KeyWriter.bytes(of: "\($0)") }

    /// The ends whose entities have a property.
    var sides: [LinkSide] {
        relation.form.isSymmetric ? [.first] : LinkSide.allCases.filter { relation[$0].property != nil }
    }

    func statement(_ random: inout SeededGenerator) -> LinkStatement {
        let side = sides.randomElement(using: &random) ?? .first
        let owner = Self.entities.randomElement(using: &random) ?? []
        let targets = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            Self.entities.randomElement(using: &random) ?? []
        }
        let isExclusive = relation.isExclusive(side)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return LinkStatement(.remove, owner, side, targets)
        case 1 where !isExclusive: return LinkStatement(.append, owner, side, targets)
        default:
            if isExclusive { return LinkStatement(.set, owner, side, Array(targets.prefix(1))) }
            return LinkStatement(.replace, owner, side, targets)
        }
    }

    func compare(_ links: LinkTable, with model: LinkModel, _ comment: Comment) throws {
        for side in relation.form.isSymmetric ? [.first] : LinkSide.allCases {
            let isOrdered = relation.form.position(on: side) != nil
            for entity in Self.entities {
                let found = try links.targets(of: entity, side)
                let expected = model.lists[side]?[entity] ?? []
                let sorted = isOrdered ? expected : expected.sorted { $0.lexicographicallyPrecedes($1) }
                #expect(found == sorted, comment)
                #expect(try links.count(of: entity, side) == expected.count, comment)
            }
        }
    }
}

/// A statement about an entity's links.
struct LinkStatement {
    enum Kind { case set, replace, append, remove }

    let kind: Kind
    let owner: [UInt8]
    let side: LinkSide
    let targets: [[UInt8]]

    init(_ kind: Kind, _ owner: [UInt8], _ side: LinkSide, _ targets: [[UInt8]]) {
        (self.kind, self.owner, self.side, self.targets) = (kind, owner, side, targets)
    }

    func carryOut(by links: LinkWriter) throws {
        switch kind {
        case .set: if let target = targets.first { try links.set(owner, to: target, side) }
        case .replace: try links.replace(owner, with: targets, side)
        case .append: try links.append(owner, targets, side)
        case .remove: try links.remove(owner, targets, side)
        }
    }
}

/// The links of a relation as lists in memory, at each end.
struct LinkModel {
    let relation: CatalogRelation
    var lists: [LinkSide: [[UInt8]: [[UInt8]]]] = [.first: [:], .second: [:]]

    init(_ relation: CatalogRelation) { self.relation = relation }

    private func other(_ side: LinkSide) -> LinkSide { relation.form.isSymmetric ? side : side.other }

    mutating func carryOut(_ statement: LinkStatement) {
        let (owner, side) = (statement.owner, statement.side)
        switch statement.kind {
        case .remove: for target in statement.targets { unlink(owner, target, side) }
        case .append: for target in statement.targets { link(owner, target, side) }
        case .set, .replace:
            guard statement.kind == .replace || !statement.targets.isEmpty else { return }
            var list: [[UInt8]] = []
            for target in statement.targets where !list.contains(target) { list.append(target) }
            for former in lists[side]?[owner] ?? [] where !list.contains(former) { unlink(owner, former, side) }
            for target in list { link(owner, target, side) }
            lists[side]?[owner] = list
        }
    }

    private mutating func link(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) {
        if lists[side]?[owner]?.contains(target) == true { return }
        if relation.isExclusive(side) {
            for former in lists[side]?[owner] ?? [] { unlink(owner, former, side) }
        }
        if relation.isExclusive(other(side)) {
            for former in lists[other(side)]?[target] ?? [] { unlink(target, former, other(side)) }
        }
        lists[side]?[owner, default: []].append(target)
        if other(side) != side || owner != target { lists[other(side)]?[target, default: []].append(owner) }
    }

    private mutating func unlink(_ owner: [UInt8], _ target: [UInt8], _ side: LinkSide) {
        lists[side]?[owner]?.removeAll { $0 == target }
        lists[other(side)]?[target]?.removeAll { $0 == owner }
    }
}

extension LinkWriter {
    func set(_ owner: [UInt8], to target: [UInt8], _ side: LinkSide) throws {
        try set(owner, to: KeyList(bytes: [target]), side)
    }

    func replace(_ owner: [UInt8], with targets: [[UInt8]], _ side: LinkSide) throws {
        try replace(owner, with: KeyList(bytes: targets), side)
    }

    func append(_ owner: [UInt8], _ targets: [[UInt8]], _ side: LinkSide) throws {
        try append(owner, KeyList(bytes: targets), side)
    }
}

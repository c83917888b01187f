// Random nested queries over the entities of a chat, and a slow resolver: it reads an owner at a time, gets each target
// by its id, and filters, sorts and cuts arrays.

import TroveCoding
import TroveTestSupport

@testable import Trove

/// A nested request as plain data.
struct NestedSpec {
    var property: String
    /// Ids, entities or fragments.
    var content: NestedForm.Content
    var isSlice: Bool
    var filter: Int?
    var sort: Int?
    var limit: Int?
    var offset: Int
    var nested: [NestedSpec]

    /// Returns requests for random relations of a type, to a depth.
    static func random(
        _ type: any EntityModelProtocol.Type, depth: Int, using random: inout SeededGenerator
    ) -> [NestedSpec] {
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        var specs: [NestedSpec] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let relation = type.relationDescriptions.randomElement(using: &random) else { continue }
            let content = [NestedForm.Content.ids, .entities, .entities, .entities, .fragments]
                .randomElement(using: &random)!
            var spec = NestedSpec(
                property: relation.property, content: content, isSlice: relation.isToMany && chance(5), offset: 0,
                nested: [])
            if relation.isToMany {
                if chance(3) { spec.filter = Int.random(in: 0..<3, using: &random) }
                if chance(3) { spec.sort = Int.random(in: 0..<4, using: &random) }
                if chance(3) { spec.limit = Int.random(in: -1...4, using: &random) }
                if chance(4) { spec.offset = Int.random(in: 0...3, using: &random) }
            }
            if content != .ids, depth > 1 {
                spec.nested = NestedSpec.random(relation.target, depth: depth - 1, using: &random)
            }
            specs.append(spec)
        }
        return specs
    }
}

/// An entity with queries that a spec can name.
protocol SpecifiedEntity: EntityModelProtocol where ID == String {
    static var filters: [(query: Filter<Self>, test: (Self) -> Bool)] { get }
    /// The text that queries sort by.
    var sortText: String { get }
    /// Returns a query in the order of that text.
    static func sorted(_ query: Query<Self>, isDescending: Bool) -> Query<Self>
    static func requesting(_ spec: NestedSpec, of query: Query<Self>) -> Query<Self>
}

// MARK: The query

extension Query where Record: SpecifiedEntity {
    func applying(_ specs: [NestedSpec]) -> Query { specs.reduce(self) { Record.requesting($1, of: $0) } }

    fileprivate func page(_ spec: NestedSpec) -> Query {
        var query = self
        if let filter = spec.filter { query = query.filter(Record.filters[filter].query) }
        switch spec.sort {
        case 0: query = Record.sorted(query, isDescending: false)
        case 1: query = Record.sorted(query, isDescending: true)
        case 2: query = query.order(.ascending)
        case 3: query = query.order(.descending)
        default: break
        }
        return query.limit(spec.limit).offset(spec.offset).applying(spec.nested)
    }

    fileprivate func list<Target: SpecifiedEntity, Direction, Constraints>(
        _ path: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>, _ spec: NestedSpec
    ) -> Query {
        switch (spec.content, spec.isSlice) {
        case (.entities, false): with(path) { $0.page(spec) }
        case (.entities, true): with(slice: path) { $0.page(spec) }
        case (.fragments, false): fragment(path) { $0.page(spec) }
        case (.fragments, true): fragment(slice: path) { $0.page(spec) }
        case (.ids, false): id(path) { $0.page(spec) }
        case (.ids, true): id(slice: path) { $0.page(spec) }
        }
    }

    fileprivate func single<Target: SpecifiedEntity, Direction, Constraints>(
        _ path: KeyPath<Record, ToOneRelation<Target, Direction, Constraints>>, _ spec: NestedSpec
    ) -> Query {
        switch spec.content {
        case .entities: with(path) { target in target.changing { $0 = $0.applying(spec.nested) } }
        case .fragments: fragment(path) { target in target.changing { $0 = $0.applying(spec.nested) } }
        case .ids: id(path)
        }
    }
}

// MARK: The slow resolver

/// Returns an entity with its relations as text.
func graphText<Entity: EntityModelProtocol>(_ entity: Entity) -> String {
    func relation<Accessor: RelationAccessor<Entity>>(_ accessor: Accessor) -> String {
        switch accessor.state(of: entity) {
        case .none: "-"
        case .null: "null"
        case .id(let id): "\(id)"
        case .entity(let target, let isFragment): "\(isFragment ? "fragment " : "")\(graphText(target))"
        case .ids(let ids, let isSlice): "\(isSlice ? "slice " : "")\(ids)"
        case .entities(let targets, let isFragment, let isSlice):
            "\(isSlice ? "slice " : "")\(isFragment ? "fragments " : "")[\(targets.map(graphText).joined(separator: ", "))]"
        }
    }
    let relations = Entity.relations.map { "\($0.description.property): \(relation($0.accessor))" }
    return "\(Entity.self)(\(KeyWriter.bytes(of: entity.id)) \(entity.fieldText) \(relations.joined(separator: "; ")))"
}

extension EntityModelProtocol {
    fileprivate var fieldText: String { "\(normalized())" }

    /// Returns what a nested query must give for the entity, as text.
    func expectedText(_ specs: [NestedSpec], in context: ReadContext) throws -> String {
        let relations = try Self.relations.map { relation in
            let spec = specs.last { $0.property == relation.description.property }
            let text = try spec.map { try expectedTargets($0, relation.description, in: context) } ?? "-"
            return "\(relation.description.property): \(text)"
        }
        return "\(Self.self)(\(KeyWriter.bytes(of: id)) \(fieldText) \(relations.joined(separator: "; ")))"
    }

    private func expectedTargets(
        _ spec: NestedSpec, _ relation: RelationDescription, in context: ReadContext
    ) throws -> String {
        let ids = try Self.links(spec.property, of: id, in: context)
        guard let target = relation.target as? any SpecifiedEntity.Type else { return "" }
        return try target.expectedText(ids, spec, isToMany: relation.isToMany, in: context)
    }
}

extension SpecifiedEntity {
    fileprivate static func expectedText(
        _ ids: [String], _ spec: NestedSpec, isToMany: Bool, in context: ReadContext
    ) throws -> String {
        var isSlice = spec.isSlice || spec.filter != nil || spec.sort != nil
        // Ids alone need no entities.
        var targets: [(id: String, entity: Self?)] = try ids.map { ($0, try context.get(Self.self, key: $0)) }
        if spec.content != .ids || spec.filter != nil || spec.sort != nil {
            isSlice = isSlice || targets.contains { $0.entity == nil }
            targets = targets.filter { $0.entity != nil }
        }
        if let filter = spec.filter { targets = targets.filter { $0.entity.map(filters[filter].test) == true } }
        func precedes(_ left: Self, _ right: Self) -> Bool {
            let (first, second) = (left.sortText, right.sortText)
            switch spec.sort {
            case 0 where first != second: return first < second
            case 1 where first != second: return first > second
            case 3: return left.id > right.id
            default: return left.id < right.id
            }
        }
        if spec.sort != nil {
            targets.sort { left, right in
                guard let first = left.entity, let second = right.entity else { return false }
                return precedes(first, second)
            }
        }
        let whole = targets.count
        targets = Array(targets.dropFirst(spec.offset).prefix(max(0, spec.limit ?? .max)))
        isSlice = isSlice || targets.count < whole
        let fragment = spec.content == .fragments ? (isToMany ? "fragments " : "fragment ") : ""
        guard isToMany else {
            if spec.content == .ids { return targets.first?.id ?? "-" }
            return try targets.first?.entity.map { fragment + (try $0.expectedText(spec.nested, in: context)) } ?? "-"
        }
        let slice = isSlice ? "slice " : ""
        if spec.content == .ids { return "\(slice)\(targets.map(\.id))" }
        let texts = try targets.compactMap { try $0.entity?.expectedText(spec.nested, in: context) }
        return "\(slice)\(fragment)[\(texts.joined(separator: ", "))]"
    }
}

// MARK: The entities

extension User: SpecifiedEntity {
    static var filters: [(query: Filter<User>, test: (User) -> Bool)] {
        [
            (\.name == "a", { $0.name == "a" }), (\.name != "b" && \.id > "1", { $0.name != "b" && $0.id > "1" }),
            (\.nickname == nil, { $0.nickname == nil }),
        ]
    }

    var sortText: String { name }

    static func sorted(_ query: Query<User>, isDescending: Bool) -> Query<User> {
        isDescending ? query.sorted(by: \.name.desc) : query.sorted(by: \.name)
    }

    static func requesting(_ spec: NestedSpec, of query: Query<User>) -> Query<User> {
        switch spec.property {
        case "chats": query.list(\.$chats, spec)
        case "adminOf": query.list(\.$adminOf, spec)
        case "friends": query.list(\.$friends, spec)
        default: query.single(\.$partner, spec)
        }
    }
}

extension Chat: SpecifiedEntity {
    static var filters: [(query: Filter<Chat>, test: (Chat) -> Bool)] {
        [(\.id != "1", { $0.id != "1" }), (\.id > "2", { $0.id > "2" }), (\.id == "9", { $0.id == "9" })]
    }

    var sortText: String { id }

    static func sorted(_ query: Query<Chat>, isDescending: Bool) -> Query<Chat> {
        isDescending ? query.sorted(by: \.id.desc) : query.sorted(by: \.id)
    }

    static func requesting(_ spec: NestedSpec, of query: Query<Chat>) -> Query<Chat> {
        switch spec.property {
        case "users": query.list(\.$users, spec)
        case "messages": query.list(\.$messages, spec)
        default: query.list(\.$admins, spec)
        }
    }
}

extension Message: SpecifiedEntity {
    static var filters: [(query: Filter<Message>, test: (Message) -> Bool)] {
        [
            (\.text != "a", { $0.text != "a" }), (\.text < "c", { $0.text < "c" }),
            (\.text == "b" || \.id < "3", { $0.text == "b" || $0.id < "3" }),
        ]
    }

    var sortText: String { text }

    static func sorted(_ query: Query<Message>, isDescending: Bool) -> Query<Message> {
        isDescending ? query.sorted(by: \.text.desc) : query.sorted(by: \.text)
    }

    static func requesting(_ spec: NestedSpec, of query: Query<Message>) -> Query<Message> {
        switch spec.property {
        case "author": query.single(\.$author, spec)
        case "chat": query.single(\.$chat, spec)
        case "attachment": query.single(\.$attachment, spec)
        case "replies": query.list(\.$replies, spec)
        case "replyTo": query.single(\.$replyTo, spec)
        default: query.list(\.$viewedBy, spec)
        }
    }
}

extension Attachment: SpecifiedEntity {
    static var filters: [(query: Filter<Attachment>, test: (Attachment) -> Bool)] {
        [
            (\.path == nil, { $0.path == nil }), (\.path != nil, { $0.path != nil }),
            (\.path == "a", { $0.path == "a" }),
        ]
    }

    var sortText: String { id }

    static func sorted(_ query: Query<Attachment>, isDescending: Bool) -> Query<Attachment> {
        isDescending ? query.sorted(by: \.id.desc) : query.sorted(by: \.id)
    }

    static func requesting(_ spec: NestedSpec, of query: Query<Attachment>) -> Query<Attachment> {
        query.single(\.$message, spec)
    }
}

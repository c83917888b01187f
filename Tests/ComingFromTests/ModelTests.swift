// Models: each kind of relation, and the requirements that a type can implement itself.

import Foundation
import Testing
import Trove
import TroveSpellings

/// Counts the calls of the hooks of ``LoggedEntry``.
@IndexKeyRecord("id", "hook")
private struct HookCall {
    let id: String
    let hook: String
}

/// An entity that implements what the macro leaves to defaults.
@EntityModel
private struct LoggedEntry: Equatable {
    let id: String
    var text: String?
    var language: String?
    @Relationship(deleteRule: .cascade, inverse: \.entry) var sketch: Sketch?

    mutating func willSave(to context: TransactionContext) throws {
        text = text?.trimmingCharacters(in: .whitespaces)
        try context.insert(HookCall(id: id, hook: "willSave"))
    }

    func didSave(to context: TransactionContext) throws { try context.insert(HookCall(id: id, hook: "didSave")) }

    func willDelete(from context: TransactionContext) throws {
        try context.insert(HookCall(id: id, hook: "willDelete"))
    }

    func didDelete(from context: TransactionContext) throws { try context.insert(HookCall(id: id, hook: "didDelete")) }

    static var defaultMergeStrategy: MergeStrategy<LoggedEntry> { LoggedEntry.patch }
    static var fragmentMergeStrategy: MergeStrategy<LoggedEntry> { MergeStrategy(.patch(\.text)) }
}

@EntityModel
private struct Sketch: Equatable {
    let id: String
    @Relationship(inverse: \.sketch) var entry: LoggedEntry?
}

@Suite("Coming from SwiftletModel: models")
struct ModelTests {
    @Test func aNewEntity_hasNoRelations() {
        let entry = Entry(id: "1", text: "Fog")
        #expect(entry.author == nil && entry.answers == nil && entry.readBy == nil)
        #expect(entry.$author.isNone && entry.$answers.isNone && entry.$readBy.isNone)
    }

    @Test func loadedRelations_areTheValuesOfTheProperties() {
        #expect(Trek.ridge.climbers == [.ines, .tomo])
        #expect(Trek.ridge.entries?.last?.photo?.file == "hut.png")
        #expect(Trek.ridge.leaders == nil)
        #expect(Trek.ridge.$leaders.ids == ["ines"])
    }

    @Test func aNormalizedEntity_hasNoRelations() {
        var trek = Trek.ridge
        trek.normalize()
        #expect(trek == Trek(id: "ridge"))
        #expect(trek == Trek.ridge.normalized())
    }

    @Test func hooks_areCalledForNestedEntitiesToo() throws {
        let store = try Store.temporary(records: [LoggedEntry.self])
        try Sketch(id: "s", entry: .relation(LoggedEntry(id: "1", text: " Fog "))).save(to: store)
        #expect(try store.get(LoggedEntry.self, key: "1")?.text == "Fog")
        #expect(try HookCall.query().resolve(in: store).map(\.hook) == ["didSave", "willSave"])
        try LoggedEntry(id: "1").delete(from: store)
        #expect(try HookCall.query().count(in: store) == 4)
        #expect(try Sketch.query().count(in: store) == 0)
    }

    @Test func mergeStrategies_canBeOverridden() throws {
        let store = try Store.temporary(records: [LoggedEntry.self])
        try LoggedEntry(id: "1", text: "Fog", language: "en").save(to: store)
        try LoggedEntry(id: "1", text: nil, language: nil).save(to: store)
        #expect(try store.get(LoggedEntry.self, key: "1") == LoggedEntry(id: "1", text: "Fog", language: "en"))
        try LoggedEntry(id: "1", text: nil, language: nil).save(to: store, options: .fragment)
        #expect(try store.get(LoggedEntry.self, key: "1") == LoggedEntry(id: "1", text: "Fog", language: nil))
    }
}

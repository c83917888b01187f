// A unique value that a saved entity takes over: the other entity is deleted by its rules, with its hooks.

import Testing
import TroveTestSupport

@testable import Trove

/// A seat of a theater. Its hooks note their calls, and do what the action says.
@EntityModel
private struct Stool: Equatable {
    #Unique<Stool>(\.number, collisions: .upsert)
    #Unique<Stool>(\.label, collisions: .relabel)
    #Unique<Stool>(\.code, collisions: .throw)

    let id: String
    var number: Int?
    var label: String?
    var code: Int?
    var action: String = ""
    @Relationship(deleteRule: .cascade, inverse: \.front) var behind: [Stool]?
    @Relationship(inverse: \.behind) var front: Stool?
    @Relationship(deleteRule: .deny, inverse: \.seat) var tickets: [Ticket]?
    @Relationship var neighbor: Stool? = nil
}

@EntityModel
private struct Ticket: Equatable {
    let id: Int
    @Relationship(inverse: \.tickets) var seat: Stool?
}

extension CollisionRule where Record == Stool {
    /// The other seat gets another label, and a seat after it, before the rule throws if the other seat says so.
    static var relabel: CollisionRule {
        .custom { context, _, existing in
            var other = existing
            other.label = (existing.label ?? "") + "'"
            other.$behind = .appending(relation: [Stool(id: existing.id + " behind", number: 99)])
            try other.save(to: context)
            if existing.action == "refuse" { throw Refused(hook: "rule") }
        }
    }
}

extension Stool {
    func willSave(to context: TransactionContext) throws { try note("willSave", context) }
    func didSave(to context: TransactionContext) throws { try note("didSave", context) }

    func willDelete(from context: TransactionContext) throws {
        try note("willDelete", context)
        if action == "give tickets away" { try detach(\.$tickets, in: context) }
        if action == "refuse" { throw Refused(hook: "willDelete") }
    }

    func didDelete(from context: TransactionContext) throws {
        try note("didDelete", context)
        switch action {
        case "come back": try save(to: context)
        case "come back as others": try Stool(id: id + "'", number: number, action: action).save(to: context)
        case "come back as another": try Stool(id: id + "'", number: number).save(to: context)
        default: break
        }
    }

    private func note(_ hook: String, _ context: TransactionContext) throws {
        try context.insert(HookCall(number: HookCall.query().count(in: context), text: "\(hook) \(id)"))
    }
}

@Suite("Upserts in graphs") struct UpsertHookTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Stool.self, HookCall.self]) }

    private func seats() throws -> [String] { try Stool.query().keys(in: store) }

    @Test func theOtherEntity_isDeletedWithItsHooksAndCascade() throws {
        let behind = [Stool(id: "b1"), Stool(id: "b2", behind: .relation([Stool(id: "b3")]))]
        try Stool(id: "a", number: 1, behind: .relation(behind)).save(to: store)
        try Stool(id: "n", neighbor: .id("a")).save(to: store)
        try store.forgetHookCalls()
        try Stool(id: "c", number: 1, front: .id("f")).save(to: store)
        #expect(
            try store.hookCalls() == [
                "willSave c", "willDelete a", "willDelete b1", "didDelete b1", "willDelete b2", "willDelete b3",
                "didDelete b3", "didDelete b2", "didDelete a", "didSave c",
            ])
        #expect(try seats() == ["c", "n"])
        #expect(try Stool.links("neighbor", of: "n", in: store) == [])
        #expect(try Stool.links("behind", of: "f", in: store) == ["c"])
        try store.expectIntactLinks()
    }

    @Test func theCascade_mayTakeWhatTheGraphHasSaved() throws {
        // The second seat of the graph takes the number of a seat in front of the first.
        try Stool(id: "a", number: 1).save(to: store)
        let graph = Stool(
            id: "top",
            behind: .relation([Stool(id: "x", front: .id("a")), Stool(id: "y", number: 1)]))
        try graph.save(to: store)
        #expect(try seats() == ["top", "y"], "x has gone with a")
        #expect(try Stool.links("behind", of: "top", in: store) == ["x", "y"], "a list is as it was given")
        try store.expectIntactLinks()
    }

    @Test func theCascade_mayTakeTheSavedEntityItself_whichIsThenSaved() throws {
        try Stool(id: "a", number: 1, behind: .relation([Stool(id: "b", behind: .relation([Stool(id: "c")]))])).save(
            to: store)
        try Stool(id: "b", number: 1).save(to: store)
        #expect(try seats() == ["b"])
        #expect(try store.get(Stool.self, key: "b")?.number == 1)
        for id in ["a", "b", "c"] {
            #expect(try Stool.links("behind", of: id, in: store) + Stool.links("front", of: id, in: store) == [])
        }
        try store.expectIntactLinks()
    }

    @Test func aHookOrARuleThatRefuses_undoesTheGraph() throws {
        try Stool(id: "a", number: 1, label: "A", action: "refuse", tickets: .relation([Ticket(id: 1)])).save(to: store)
        try Stool(id: "b", number: 2, tickets: .relation([Ticket(id: 2)])).save(to: store)
        try Stool(id: "g", number: 3, action: "give tickets away", tickets: .relation([Ticket(id: 3)])).save(to: store)
        let calls = try store.hookCalls()
        func undone(_ seat: Stool, _ error: some Error & Equatable) throws {
            #expect(throws: error) {
                try Stool(id: "top", behind: .relation([Stool(id: "x"), seat])).save(to: store)
            }
            #expect(throws: error) { try store.insert(contentsOf: [Stool(id: "x"), seat]) }
            #expect(try seats() == ["a", "b", "g"])
            #expect(try store.hookCalls() == calls)
            #expect(try Stool.links("behind", of: "top", in: store) == [])
        }
        try undone(Stool(id: "c", number: 1), Refused(hook: "willDelete"))
        try undone(Stool(id: "c", label: "A"), Refused(hook: "rule"))
        try undone(
            Stool(id: "c", number: 2),
            StoreError.entity(
                .deleteDenied(
                    type: "Stool", key: StoredKey("b", of: Stool.self), relation: "tickets",
                    other: StoredKey(2, of: Ticket.self))))
        // A hook of the entity that gives way may detach first.
        try Stool(id: "top", behind: .relation([Stool(id: "c", number: 3)])).save(to: store)
        #expect(try seats() == ["a", "b", "c", "top"])
        #expect(try Ticket.ids("seat", of: 3, in: store, as: String.self) == [])
        try store.expectIntactLinks()
    }

    @Test func aCustomRule_savesAGraphOfItsOwn() throws {
        try Stool(id: "a", label: "A").save(to: store)
        try Stool(id: "z", number: 99).save(to: store)
        try store.forgetHookCalls()
        try Stool(id: "b", label: "A").save(to: store)
        #expect(try Stool.query().resolve(in: store).map(\.label) == ["A'", nil, "A"])
        #expect(try seats() == ["a", "a behind", "b"], "the seat of the rule took the number 99 over")
        #expect(try Stool.links("behind", of: "a", in: store) == ["a behind"])
        #expect(
            try store.hookCalls() == [
                "willSave b", "willSave a", "willSave a behind", "willDelete z", "didDelete z", "didSave a behind",
                "didSave a", "didSave b",
            ])
        try store.expectIntactLinks()
    }

    @Test(arguments: ["come back", "come back as others"])
    func hooksThatSaveTheNumberAgain_areStopped(_ action: String) throws {
        // On a small stack, without end.
        try onAnotherThread(stackSize: smallStackSize) {
            let first = Stool(id: "a", number: 1, action: action)
            try first.save(to: store)
            func expectRefused(_ save: () throws -> Void) throws {
                let error = #expect(throws: StoreError.self, performing: save)
                guard case .record(.collisionRuleRepeats("Stool", "unique(number)", let key))? = error else {
                    throw Refused()
                }
                if action == "come back" { #expect(key == StoredKey("a", of: Stool.self)) }
                #expect(try Stool.query().resolve(in: store) == [first])
            }
            let second = Stool(id: "b", number: 1)
            try expectRefused { try second.save(to: store) }
            try expectRefused { try store.insert(second) }
            try expectRefused { try store.insert(contentsOf: [second]) }
            try expectRefused { try Stool(id: "top", behind: .relation([second])).save(to: store) }
        }
    }

    @Test func aHookThatSavesTheNumberOnce_givesWayOnceMore() throws {
        try Stool(id: "a", number: 1, action: "come back as another").save(to: store)
        try Stool(id: "b", number: 1).save(to: store)
        #expect(try Stool.query().resolve(in: store) == [Stool(id: "b", number: 1)])
    }

    /// Of saves that share a commit, those that throw for a constraint, a rule or a hook undo themselves alone.
    @Test func asyncSaves_thatWaitTogether_failAlone() async throws {
        let line = try WriterLine()
        let store = line.store
        try await store.write { context in
            try Stool(id: "refusing", number: 1000, action: "refuse").save(to: context)
            try Stool(id: "denying", number: 1001, tickets: .relation([Ticket(id: 1)])).save(to: context)
            try Stool(id: "coded", code: 700).save(to: context)
        }
        let held = await line.hold()
        var tasks: [(index: Int, task: Task<Void, any Error>)] = []
        for index in 0..<16 {
            let last =
                switch index % 4 {
                case 0: Stool(id: "\(index)c", number: 1000)
                case 1: Stool(id: "\(index)c", number: 1001)
                case 2: Stool(id: "\(index)c", code: 700)
                default: Stool(id: "\(index)c", number: index, code: index)
                }
            let graph = Stool(
                id: "\(index)", behind: .relation([Stool(id: "\(index)b", behind: .relation([last]))]))
            tasks.append((index, await held.queue { Task { try await graph.save(to: store) } }))
        }
        held.end()
        for (index, task) in tasks {
            let result = await task.result
            switch index % 4 {
            case 0: #expect(result.failed(with: Refused.self))
            case 1:
                guard case .entity(.deleteDenied)? = result.storeError else {
                    Issue.record("\(result)")
                    return
                }
            case 2:
                guard case .record(.notUnique)? = result.storeError else {
                    Issue.record("\(result)")
                    return
                }
            default: #expect(result.storeError == nil)
            }
        }
        let saved = (0..<16).filter { $0 % 4 == 3 }.flatMap { ["\($0)", "\($0)b", "\($0)c"] }
        try await store.read { context in
            #expect(try Stool.query().keys(in: context) == (saved + ["refusing", "denying", "coded"]).sorted())
            for index in 0..<16 {
                let isSaved = index % 4 == 3
                #expect(try Stool.links("behind", of: "\(index)", in: context) == (isSaved ? ["\(index)b"] : []))
                #expect(try Stool.links("front", of: "\(index)c", in: context) == (isSaved ? ["\(index)b"] : []))
            }
            try context.expectIntactLinks()
        }
    }
}

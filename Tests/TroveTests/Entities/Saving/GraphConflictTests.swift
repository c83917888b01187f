// Conflicts in graphs: unique values, insert rules, and an entity that a graph holds twice.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Conflicts in graphs") struct GraphConflictTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Team.self]) }

    private func members() throws -> [Int] { try Teammate.query().keys(in: store) }
    private func devices() throws -> [Int] { try Device.query().keys(in: store) }

    private func isNotUnique(_ change: () throws -> Void) -> Bool {
        do {
            try change()
        } catch StoreError.record(.notUnique) {
            return true
        } catch {
            Issue.record(error)
        }
        return false
    }

    // MARK: Unique values

    @Test func entitiesOfAGraph_maySwapUniqueValues() throws {
        try Team(id: 1, members: .relation([Teammate(id: 1, email: "a"), Teammate(id: 2, email: "b")])).save(to: store)
        try Team(id: 1, members: .relation([Teammate(id: 1, email: "b"), Teammate(id: 2, email: "a")])).save(to: store)
        #expect(try store.get(Teammate.self, key: 1)?.email == "b")
        #expect(try store.get(Teammate.self, key: 2)?.email == "a")
        // The check of an inner statement waits for the end of the outermost too.
        try store.write { context in
            try context.statement { context in
                try Teammate(id: 1, email: "a", team: .id(1)).save(to: context)
                try context.insert(contentsOf: [Teammate(id: 2, email: "b")])
            }
        }
        #expect(try Teammate.filter(\.email == "a").resolve(in: store).map(\.id) == [1])
        #expect(isNotUnique { try Team(id: 2, members: .relation([Teammate(id: 3, email: "b")])).save(to: store) })
        #expect(isNotUnique { try store.insert(Teammate(id: 3, email: "b", team: .id(2))) })
        #expect(try members() == [1, 2])
        #expect(try Team.ids("members", of: 2, in: store) == [])
        try store.expectIntactLinks()
    }

    @Test func anUpsertInAGraph_deletesTheOtherEntityByItsRules() throws {
        let first = Teammate(id: 1, badge: 7, devices: .relation([Device(id: 1), Device(id: 2)]))
        try Team(id: 1, members: .relation([first, Teammate(id: 2)])).save(to: store)
        try Team(id: 2, members: .relation([Teammate(id: 3, badge: 7, devices: .relation([Device(id: 3)]))])).save(
            to: store)
        #expect(try members() == [2, 3])
        #expect(try devices() == [3])
        #expect(try Team.ids("members", of: 1, in: store) == [2])
        #expect(try Team.ids("members", of: 2, in: store) == [3])
        // What the graph has saved before may be a part of the cascade.
        let twice = [first, Teammate(id: 4, badge: 7)]
        try Team(id: 3, members: .relation(twice)).save(to: store)
        #expect(try members() == [2, 4])
        #expect(try devices() == [], "the devices of the third and of the first member")
        #expect(try Team.ids("members", of: 3, in: store) == [1, 4], "a list is as it was given")
        try store.expectIntactLinks()
    }

    @Test func anUpsertOfAnEntityThatDenies_undoesTheStatement() throws {
        try Teammate(id: 1, badge: 7, contracts: .relation([Contract(id: 1)])).save(to: store)
        try Teammate(id: 2, badge: 8).save(to: store)
        let denied = StoreError.entity(
            .deleteDenied(
                type: "Teammate", key: StoredKey(1, of: Teammate.self), relation: "contracts",
                other: StoredKey(1, of: Contract.self)))
        #expect(throws: denied) { try store.insert(Teammate(id: 3, badge: 7)) }
        #expect(throws: denied) { try store.insert(contentsOf: [Teammate(id: 4), Teammate(id: 3, badge: 7)]) }
        #expect(throws: denied) { try Team(id: 1, members: .relation([Teammate(id: 3, badge: 7)])).save(to: store) }
        #expect(throws: denied) { try Teammate.filter(\.badge == 8).update(in: store) { $0.badge = 7 } }
        #expect(throws: denied) { try Teammate.query().delete(in: store) }
        #expect(try members() == [1, 2])
        #expect(try Team.query().count(in: store) == 0)
        // The same statement takes the contract over.
        try Teammate(id: 3, badge: 7, contracts: .ids([1])).save(to: store)
        #expect(try members() == [2, 3])
        #expect(try Contract.ids("signer", of: 1, in: store) == [3])
        try store.expectIntactLinks()
    }

    @Test func anIgnoredEntity_isNotSavedWithWhatIsInsideIt() throws {
        try Teammate(id: 1, nick: "bo").save(to: store)
        let ignored = Teammate(id: 2, nick: "bo", devices: .relation([Device(id: 1)]), contracts: .ids([5]))
        #expect(try store.insert(ignored) == false)
        try Team(id: 1, members: .relation([ignored, Teammate(id: 3)])).save(to: store)
        #expect(try members() == [1, 3])
        #expect(try devices() == [])
        #expect(try Contract.ids("signer", of: 5, in: store) == [])
        #expect(try Team.ids("members", of: 1, in: store) == [3], "no link to an entity that is not stored")
        try store.expectIntactLinks()
    }

    @Test func aCollisionRule_maySaveEntities() throws {
        try Teammate(id: 1, desk: 1).save(to: store)
        try Teammate(id: 2, desk: 2).save(to: store)
        try Team(id: 1, members: .relation([Teammate(id: 3, desk: 1)])).save(to: store)
        #expect(try members() == [1, 2, 3])
        #expect(try Teammate.query().resolve(in: store).map(\.desk) == [2, 3, 1])
        #expect(try Teammate.ids("devices", of: 1, in: store) == [101])
        #expect(try devices() == [101, 102])
        try store.expectIntactLinks()
    }

    // MARK: Insert rules

    @Test(arguments: [ConflictRule.ignore, .throw]) func anInsertRule_isDecidedBeforeTheGraph(_ rule: ConflictRule)
        throws
    {
        let store = try Store.temporary(records: [Node.self, HookCall.self])
        func insert(_ node: Node) throws -> Bool {
            do {
                return try store.insert(node, onConflict: rule)
            } catch StoreError.record(.keyExists) {
                #expect(rule == .throw)
                return false
            }
        }
        #expect(try insert(Node(id: "1", text: "old", children: .relation([Node(id: "2")]))))
        try store.forgetHookCalls()
        #expect(
            try !insert(Node(id: "1", text: "new", children: .relation([Node(id: "3"), Node(id: "2", text: "new")]))))
        #expect(try Node.query().resolve(in: store) == [Node(id: "1", text: "old"), Node(id: "2")])
        #expect(try Node.links("children", of: "1", in: store) == ["2"])
        #expect(try store.hookCalls() == [])
        // The entities inside are saved by the strategies of their types.
        #expect(try insert(Node(id: "4", children: .relation([Node(id: "2", text: "new")]))))
        #expect(try Node.links("parent", of: "2", in: store) == ["4"])
        #expect(try store.get(Node.self, key: "2")?.text == "new")
    }

    @Test func anInsertOfManyThatIgnores_savesTheOthers() throws {
        try Teammate(id: 1, email: "a").save(to: store)
        try store.insert(
            contentsOf: [
                Teammate(id: 1, email: "b", devices: .relation([Device(id: 1)])),
                Teammate(id: 2, devices: .relation([Device(id: 2)])),
            ], onConflict: .ignore)
        #expect(try store.get(Teammate.self, key: 1)?.email == "a")
        #expect(try devices() == [2])
        #expect(throws: StoreError.self) {
            try store.insert(
                contentsOf: [Teammate(id: 3, devices: .relation([Device(id: 3)])), Teammate(id: 1)], onConflict: .throw)
        }
        #expect(try devices() == [2])
    }

    // MARK: Updates

    @Test func anUpdate_maySetRelations() throws {
        try Team(id: 1, members: .relation([Teammate(id: 1), Teammate(id: 2), Teammate(id: 3)])).save(to: store)
        let count = try Teammate.filter(\.id >= 2).update(in: store) { member in
            #expect(member.$team == .none)
            member.$team = .relation(Team(id: 2))
            member.$devices = .relation([Device(id: member.id)])
        }
        #expect(count == 2)
        #expect(try Team.ids("members", of: 1, in: store) == [1])
        #expect(try Team.ids("members", of: 2, in: store) == [2, 3])
        #expect(try devices() == [2, 3])
        try Teammate.query().update(in: store) { $0.email = "\($0.id)" }
        #expect(try Team.ids("members", of: 2, in: store) == [2, 3], "unset relations stay")
        // Unique values may move from one to the other.
        try Teammate.query().update(in: store) { $0.email = "\($0.id % 3 + 1)" }
        #expect(try Teammate.query().resolve(in: store).map(\.email) == ["2", "3", "1"])
        try Teammate.query().update(in: store) { $0.$team = .null }
        #expect(try Team.ids("members", of: 2, in: store) == [])
        try store.expectIntactLinks()
    }

    // MARK: An entity twice

    @Test func anEntityThatOccursTwice_isMergedInTheOrderOfTheGraph() throws {
        let full = User(id: "1", name: "Bob", nickname: "B")
        let part = User(id: "1", name: "Robert")
        func chat(_ users: [User], fragment: [User]) -> Chat {
            Chat(id: "1", users: .relation(users), admins: .fragment(fragment))
        }
        // Full then fragment: patched. Fragment then full: replaced.
        try chat([full], fragment: [part]).save(to: store)
        #expect(try store.get(User.self, key: "1") == User(id: "1", name: "Robert", nickname: "B"))
        try chat([part], fragment: [full]).save(to: store)
        #expect(try store.get(User.self, key: "1") == full)
        try chat([full, part], fragment: []).save(to: store)
        #expect(try store.get(User.self, key: "1") == part, "the later sibling wins")
        // The outer entity wins over what is inside it, at any depth.
        try User(id: "1", name: "Bob", nickname: "B", chats: .relation([chat([], fragment: [part])])).save(to: store)
        #expect(try store.get(User.self, key: "1") == full)
        try User(id: "1", name: "Rob", partner: .relation(full)).save(to: store)
        #expect(try store.get(User.self, key: "1") == User(id: "1", name: "Rob"))
        #expect(try User.links("partner", of: "1", in: store) == ["1"])
        // In a list and as a single target.
        let replies = [Message(id: "2", text: "list", attachment: .relation(Attachment(id: "1", path: "a")))]
        try Message(id: "1", text: "", attachment: .fragment(Attachment(id: "1")), replies: .relation(replies)).save(
            to: store)
        #expect(try store.get(Attachment.self, key: "1")?.path == "a")
        #expect(try Message.links("attachment", of: "1", in: store) == [], "the later statement takes it over")
        #expect(try Message.links("attachment", of: "2", in: store) == ["1"])
        try store.expectIntactLinks()
    }

    @Test func aGraphThatContradictsItself_endsWithTheOuterLinks() throws {
        let inner = Teammate(id: 1, team: .relation(Team(id: 2, members: .ids([2]))))
        try Team(id: 1, members: .relation([inner, Teammate(id: 2)])).save(to: store)
        #expect(try Team.ids("members", of: 1, in: store) == [1, 2])
        #expect(try Team.ids("members", of: 2, in: store) == [])
        try store.expectIntactLinks()
    }
}

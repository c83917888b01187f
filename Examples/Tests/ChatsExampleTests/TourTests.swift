// The demo on its own data: the tour shows correct results, and prints the code that runs.

import ExampleReport
import ExampleTestSupport
import Testing
import Trove

@testable import ChatsExample

@Suite struct TourTests {
    @Test(arguments: Tour.sections.map { SectionCase(section: $0) })
    func shownCode_isTheCodeThatRuns(_ example: SectionCase) throws {
        #expect(try example.section.codeCount(in: "ChatsExample") == 2)
    }

    @Test func tour_fitsIntoTheReport_andRunsTwice() throws {
        let store = try Store.temporary(records: Tour.records)
        for _ in 1...2 {
            try Tour.clear(store)
            #expect(try Counts(in: store) == Counts(users: 0, chats: 0, messages: 0, attachments: 0))
            for section in Tour.sections {
                let outcome = try section.run(on: store)
                #expect(section.wideLines(outcome) == [], "\(section.title)")
                let table = outcome.table
                #expect(!table.rows.isEmpty, "\(section.title)")
                #expect(table.rows.allSatisfy { $0.count == table.header.count }, "\(section.title)")
            }
            #expect(try store.check().isEmpty)
            #expect(try store.relationNotes().isEmpty)
        }
    }

    @Test func json_isSavedAsGraphs() throws {
        let store = try Store.temporary(records: Tour.records)
        #expect(try Tour.saving.run(on: store).table.rows == [["stored", "4", "2", "39", "4"]])
        let members = try Chat.query().with(\.$members).resolve(in: store).map { $0.members?.map(\.name) }
        #expect(members == [["Ada", "Mia"], ["Ada", "Ben", "Noa"]])
        #expect(try Chat.query("hut").related(\.$messages).keys(in: store) == Array(1...32))
        #expect(try Message.query(5).with(\.$attachment).resolve(in: store)?.attachment?.bytes == 18_234)
        #expect(try store.relationNotes().isEmpty)
    }

    @Test func queries_findWhatTheDataHas() throws {
        let store = try Self.savedStore()
        let graph = try Tour.graph.run(on: store).table.rows
        #expect(graph.map { $0[0] } == ["Ben", "Ada", "Ben", "Noa", "Ben", "Ada"])
        #expect(graph[1] == ["Ada", "See you at the platform at 6:50.", "Ben: 6:50!"])
        #expect(try Tour.page.run(on: store).table.rows.map { $0[0] } == ["Noa", "Ben", "Ada", "Noa", "Ben"])
        #expect(try Tour.unread.run(on: store).table.rows.map { $0[0] } == ["Mia", "Mia", "Ben", "Ben"])
        #expect(try Message.filter(!\.isRead).count(in: store) == 0)
        #expect(
            try Tour.unanswered.run(on: store).table.rows.map { $0[1] } == [
                "Yes. I bring what is left of the cake.", "I believe you. I cannot read them, but I believe you.",
                "No, but bring gaiters.",
            ])
    }

    @Test func searches_findWords() throws {
        let store = try Self.savedStore()
        let search = try Tour.search.run(on: store)
        let scores = search.table.rows.compactMap { Double($0[0]) }
        #expect(scores.count == 4 && scores == scores.sorted(by: >))
        #expect(
            search.table.rows.map { $0[1] } == [
                "And I bring [the cake].", "Yes. I bring what is left of [the cake].",
                "The [hut] is free on the 17th. Who comes?", "I am on page ten. The [hut] took my evenings.",
            ])
        #expect(search.text?.contains("fullText(text)") == true)
        #expect(
            try Tour.typing.run(on: store).table.rows == [
                ["Noa", "And I bring the cake."], ["Ben", "I bring the good thermos."],
            ])
    }

    @Test func plans_followTheLinks() throws {
        let store = try Self.savedStore()
        let plans = try [Tour.graph, Tour.page, Tour.unread].map { try $0.run(on: store).text ?? "" }
        #expect(plans[0].contains("with Chat.messages: sorted by sent descending, limit 6"))
        #expect(plans[0].contains("with Message.replies"))
        #expect(plans[1].contains("links Chat.messages of 1 owner"))
        #expect(plans[2].contains("links User.chats"))
    }

    @Test func changes_areThoseThatAreShown() throws {
        let store = try Self.savedStore()
        #expect(
            try Tour.reply.run(on: store).table.rows == [
                ["The hut in October", "Ben", "The best part of every mountain."],
                ["The hut in October", "Noa", "I bring a second cake."],
            ])
        #expect(try Tour.slice.run(on: store).table.rows == [["The hut in October, 1 about knees", "33", "33"]])
        #expect(
            try Tour.fragment.run(on: store).table.rows == [
                ["before", "Noa", "Packing", "+41 44 555 01 12"], ["after", "Noa", "On the train", "+41 44 555 01 12"],
            ])
    }

    @Test func deletes_followTheRules() throws {
        let store = try Self.savedStore()
        let denied = try Tour.deny.run(on: store)
        #expect(denied.text?.contains("relation messages leads to the record") == true)
        #expect(denied.table.rows.map { $0.dropFirst() } == [["4", "2", "39", "4"], ["4", "2", "39", "4"]])
        let deleted = try Tour.cascade.run(on: store).table.rows
        #expect(deleted.map { $0.dropFirst() } == [["4", "2", "39", "4"], ["3", "1", "32", "3"]])
    }

    private static func savedStore() throws -> Store {
        let store = try Store.temporary(records: Tour.records)
        _ = try Tour.saving.run(on: store)
        return store
    }
}

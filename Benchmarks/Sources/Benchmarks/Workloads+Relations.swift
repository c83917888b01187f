// The relation workloads that change graphs, lists and cascades.

import Foundation
import Trove

extension Workload {
    static func relating(_ inputs: Inputs) -> [Workload] {
        let chats = max(1, inputs.people.count / 100)
        return savingGraphs(chats) + changingLists(chats) + deletingGraphs(100 * chats)
            + [savingConcurrently()] + readingGraphs(chats) + extras(100 * chats)
    }

    private static func relating(
        _ id: String, _ title: String, records: Int, target: Double?, _ relating: Relating
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: .relating(relating),
            peers: PeerKind.relating)
    }

    // MARK: Graphs

    private static func savingGraphs(_ count: Int) -> [Workload] {
        var random = SplitMix64(state: 2016)
        let ids = Array(0..<100 * count)
        let ascending = Chat.graphs(count, ids), shuffled = Chat.graphs(count, ids.shuffled(using: &random))
        let title = "save \(count) chats of 100 new messages as graphs"
        return [
            relating(
                "R1", title + ", ascending", records: ids.count, target: 1.3,
                Relating(run: { try $0.save(ascending) }, contents: ChatContents(ascending))),
            relating(
                "R1r", title + ", random ids", records: ids.count, target: 1.3,
                Relating(run: { try $0.save(shuffled) }, contents: ChatContents(shuffled))),
            relating(
                "R6", "save these graphs again, unchanged", records: ids.count, target: 1.3,
                Relating(
                    mayGrow: false, prepare: { try $0.save(ascending) }, run: { try $0.save(ascending) },
                    contents: ChatContents(ascending))),
        ]
    }

    // MARK: Lists

    private static func changingLists(_ count: Int) -> [Workload] {
        let long = Array(0..<Int64(1000 * count))
        let owners = Int64(max(1, count / 10))
        /// The list of an owner, of 1,000 messages.
        func list(_ owner: Int64) -> [Int64] { (0..<1000).map { 10_000 * owner + $0 } }
        func lists(_ change: ([Int64], _ new: Int64) -> [Int64]) -> [MessageList] {
            (0..<owners).map { MessageList(member: $0, messages: change(list($0), 10_000 * $0 + 5000)) }
        }
        let old = lists { list, _ in list }, reversed = lists { list, _ in list.reversed() }
        let prepended = lists { list, new in [new] + list }
        return [
            appending("R4", to: long), appending("R4s", to: Array(0..<1000)),
            relating(
                "R7", "prepend 1 to \(owners) lists of 1000, by replacing them", records: Int(owners), target: 1.3,
                Relating(
                    prepare: { try $0.replace(old) }, run: { try $0.replace(prepended) },
                    contents: ChatContents(authors: prepended))),
            relating(
                "R7r", "reverse \(owners) lists of 1000", records: 1000 * Int(owners), target: 1.3,
                Relating(
                    prepare: { try $0.replace(old) }, run: { try $0.replace(reversed) },
                    contents: ChatContents(authors: reversed))),
        ]
    }

    /// Returns appends of 100 messages to a list, 50 times.
    private static func appending(_ id: String, to list: [Int64]) -> Workload {
        let added = (0..<Int64(50)).map { part in (0..<100).map { 10_000_000 + 100 * part + $0 } }
        return relating(
            id, "append 100 to a list of \(list.count), 50 times", records: 5000, target: 1.3,
            Relating(
                prepare: { try $0.replace([MessageList(member: 1, messages: list)]) },
                run: { try $0.append(added.map { MessageList(member: 1, messages: $0) }) },
                contents: ChatContents(authors: [MessageList(member: 1, messages: list + added.joined())])))
    }

    // MARK: Deleting

    private static func deletingGraphs(_ count: Int) -> [Workload] {
        var random = SplitMix64(state: 2017)
        let linked = (0..<Int64(10 * count)).shuffled(using: &random)
        let chat = Chat(
            id: 1, title: "A chat", messages: .relation((0..<count).map { Message(number: $0, hasAttachment: true) }))
        return [
            relating(
                "R8", "delete an entity with \(linked.count) inbound links", records: linked.count, target: 1.5,
                Relating(
                    prepare: { try $0.replace([MessageList(member: 1, messages: linked)]) },
                    run: { try $0.deleteMember(1) }, contents: ChatContents())),
            relating(
                "R9", "delete a chat with \(count) messages and their attachments", records: 2 * count, target: 1.5,
                Relating(
                    prepare: { try $0.save([chat]) }, run: { try $0.deleteChat(1) }, contents: ChatContents())),
        ]
    }

    // MARK: Durable saves

    private static func savingConcurrently() -> Workload {
        let messages = (0..<4096).map { Message(number: $0, chat: 1) }
        let tasks = stride(from: 0, to: messages.count, by: 64).map { Array(messages[$0..<$0 + 64]) }
        return relating(
            "R12", "durable saves of a message from 64 tasks, beside liblmdb one by one", records: messages.count,
            target: 0.125,
            Relating(
                isDurable: true, prepare: { try $0.save([Chat(id: 1, title: "A chat")]) },
                run: { try await $0.saveConcurrently(tasks) }, contents: nil))
    }
}

extension ChatContents {
    /// The contents of a database with chats alone.
    fileprivate init(_ chats: [Chat]) {
        self.chats = chats.count
        messages = chats.reduce(0) { $0 + $1.$messages.ids.count }
        for chat in chats { chatLists[chat.id] = chat.$messages.ids }
    }

    /// The contents of a database with lists of members alone.
    fileprivate init(authors lists: [MessageList]) {
        for list in lists { authorLists[list.member] = list.messages }
    }
}

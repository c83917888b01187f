// The relation workloads that read: graphs, and pages of long lists.

extension Workload {
    static func readingGraphs(_ chats: Int) -> [Workload] {
        let few = max(1, chats / 20)
        return [
            chatByChat("R2", chats), chatByChat("R2r", chats, isShuffled: true),
            allChats("R3", chats), allChats("R3r", chats, isShuffled: true), allBesideEach(chats),
            chatByChat("R2s", few, peers: besideDictionaries), allChats("R3s", few, peers: besideDictionaries),
            pages(of: 1000 * chats), allContacts(10 * chats),
        ]
    }

    /// The peers of small workloads: also the graph in memory.
    private static let besideDictionaries: [PeerKind] = [.trove, .liblmdb, .dictionaries]

    private static func chatByChat(
        _ id: String, _ count: Int, isShuffled: Bool = false, peers: [PeerKind] = PeerKind.relating
    ) -> Workload {
        let ids = Array(0..<Int64(count))
        return Workload(
            id: id, title: "fetch \(count) chats one by one with their messages\(isShuffled ? ", random ids" : "")",
            records: 100 * count, target: 1.3,
            work: .readingGraphs(
                .chats(count, isShuffled: isShuffled), Reading(run: { try $0.chatsWithMessages(ids) })),
            peers: peers)
    }

    private static func allChats(
        _ id: String, _ count: Int, isShuffled: Bool = false, peers: [PeerKind] = PeerKind.relating
    ) -> Workload {
        let order = isShuffled ? ", random ids" : ""
        return Workload(
            id: id, title: "all \(count) chats with messages with authors, one query\(order)",
            records: 200 * count, target: 1.3,
            work: .readingGraphs(
                .chats(count, isShuffled: isShuffled), Reading(run: { try $0.allChatsWithAuthors() })),
            peers: peers)
    }

    /// Returns the query of R3r relative to queries for a chat at a time.
    private static func allBesideEach(_ count: Int) -> Workload {
        let ids = Array(0..<Int64(count))
        return Workload(
            id: "R3o", title: "the same, beside a query for each chat", records: 200 * count, target: 0.5,
            work: .readingGraphs(
                .chats(count, isShuffled: true),
                Reading(run: { try $0.allChatsWithAuthors() }, reference: { try $0.chatsWithAuthors(ids) })),
            peers: PeerKind.relating)
    }

    /// Returns queries for 20 messages each: a figure per record is a figure per query.
    private static func pages(of count: Int) -> Workload {
        let list = MessageList.long(count)
        let places = (0..<1000).map { list.messages[count / 4 + $0 * 7919 % (count / 2)] }
        return Workload(
            id: "R5", title: "20 of a list of \(count), after a message in its middle, per query",
            records: places.count, target: nil,
            work: .readingGraphs(.list(count), Reading(run: { try $0.pages(of: list.member, after: places) })),
            peers: PeerKind.relating)
    }

    private static func allContacts(_ count: Int) -> Workload {
        Workload(
            id: "R11", title: "\(count) contacts with 10 friends each, with friends of these, with their ids",
            records: 30 * count, target: 1.3,
            work: .readingGraphs(.contacts(count), Reading(run: { try $0.allContacts() })),
            peers: [.trove, .liblmdb, .grdbFast])
    }
}

// Programs that change the relation lists that another process changes or reads at the same time.

import Trove

/// A board of notes, which several processes fill.
@EntityModel
package struct SharedBoard: Hashable {
    package let id: Int
    @Relationship(inverse: \.board) package var notes: [SharedNote]?
    @Relationship(inverse: \.boards) package var authors: [SharedAuthor]?
    @Relationship package var pinned: [SharedNote]? = nil

    /// The board whose record tells a mover to stop.
    package static let stop = 999

    package init(id: Int) { self.id = id }
}

@EntityModel
package struct SharedNote: Hashable {
    package let id: Int
    @Relationship(.required, inverse: \.notes) package var board: SharedBoard?

    package init(id: Int) { self.id = id }
}

@EntityModel
package struct SharedAuthor: Hashable {
    package let id: Int
    @Relationship(inverse: \.authors) package var boards: [SharedBoard]?

    package init(id: Int) { self.id = id }
}

/// Appends to the three lists of one board, from either end of each.
struct AppendingProgram {
    let store: Store
    /// The number of this process: its notes and authors begin with 10,000 times this number.
    let writer: Int
    let count: Int

    func run() throws {
        for number in 0..<count {
            // Neither process passes its middle before the other process is there.
            if number == count / 2 { while try SharedNote.query().count(in: store) < count {} }
            try append(number)
        }
    }

    private func append(_ number: Int) throws {
        let id = writer * 10_000 + number
        var (board, note, author) = (SharedBoard(id: 1), SharedNote(id: id), SharedAuthor(id: id))
        board.$pinned = .appending(ids: [id])
        if number % 2 == 0 {
            board.$notes = .appending(relation: [note])
            board.$authors = .appending(relation: [author])
            try board.save(to: store)
        } else {
            (note.$board, author.$boards) = (.id(1), .ids([1]))
            try store.write { context in
                try note.save(to: context)
                try author.save(to: context)
                try board.save(to: context)
            }
        }
    }
}

/// Moves notes between boards, in every way, until it finds the board that stops it.
struct MovingProgram {
    let store: Store
    let boards: Int

    func run() throws {
        let notes = try SharedNote.query().keys(in: store)
        var step = 0
        while try store.get(SharedBoard.self, key: SharedBoard.stop) == nil {
            let (to, note) = (step / 3 % boards, notes[step * 7 % notes.count])
            try store.write { context in try move(note, to, step, in: context) }
            step += 1
        }
        TroveStoreWorker.say("\(step)")
    }

    private func move(_ note: Int, _ to: Int, _ step: Int, in context: TransactionContext) throws {
        var board = SharedBoard(id: to)
        switch step % 3 {
        case 0:
            var moved = SharedNote(id: note)
            moved.$board = .id(to)
            try moved.save(to: context)
        case 1:
            board.$notes = .appending(ids: [note])
            try board.save(to: context)
        default:
            // The list in another order, with another board's first note in front.
            let all = try SharedBoard.query(to).id(\.$notes).resolve(in: context)?.$notes.ids ?? []
            board.$notes = .ids([note] + all.reversed().filter { $0 != note })
            try board.save(to: context)
        }
    }
}

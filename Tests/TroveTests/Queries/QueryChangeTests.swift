// Updates, deletes and sums by queries.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("team", "number")
private struct Player: Hashable {
    var team: String
    var number: Int
    var goals: Int
    var weight: Double?
    var rank: Int8?
}

@Suite("Queries that change and sum up") struct QueryChangeTests {
    let store: Store
    private let players: [Player]

    init() throws {
        store = try Store.temporary()
        players = ["A", "B", "C"].flatMap { team in
            (0..<10).map { number in
                Player(
                    team: team, number: number, goals: number * 10, weight: number == 4 ? nil : Double(number) / 2,
                    rank: number < 2 ? nil : Int8(number))
            }
        }
        try store.insert(contentsOf: players)
    }

    // MARK: Update

    @Test func update_changesWhatIsFound_andNothingElse() throws {
        let changed = try Player.filter(\.goals >= 80).or(\.number == 0).update(in: store) { $0.goals = 0 }
        #expect(changed == 9)
        let expected = players.map { player in
            var player = player
            if player.goals >= 80 { player.goals = 0 }
            return player
        }
        #expect(try Player.query().resolve(in: store) == expected)
    }

    @Test func update_ofAPage_changesThatPage() throws {
        let page = Player.filter(\.team != "B").sorted(by: \.goals.desc, \.team.desc).offset(1).limit(2)
        #expect(try page.update(in: store) { $0.goals += 1_000 } == 2)
        let changed = try Player.filter(\.goals > 999).resolve(in: store)
        #expect(changed.map { [$0.team, "\($0.number)"] } == [["A", "9"], ["C", "8"]])
    }

    @Test func update_doesNotMeetItsOwnChanges() throws {
        #expect(try Player.filter(\.goals < 1_000).update(in: store) { $0.goals += 1 } == 30)
        #expect(try Player.query().select(\.goals).resolve(in: store) == players.map { $0.goals + 1 })
    }

    @Test func update_thatChangesAKey_isRefused_andUndone() throws {
        try store.write { context in
            let error = storeError {
                try Player.filter(\.team >= "B").update(in: context) { player in
                    player.goals = -1
                    if player.number == 5 { player.team = "Z" }
                }
            }
            let key = KeyWriter.bytes(of: players[15].indexKey)
            #expect(error == .record(.keyChanged(type: "Player", key: StoredKey(key, of: "Player"))))
            // The transaction remains usable; only the update is undone.
            try context.delete(players[0])
        }
        #expect(try Player.query().resolve(in: store) == Array(players.dropFirst()))
    }

    @Test func update_whoseClosureThrows_isUndone() throws {
        struct Enough: Error {}
        try store.write { context in
            #expect(throws: Enough.self) {
                try Player.filter(.everything).update(in: context) { player in
                    player.goals = -1
                    if player.team == "C" { throw Enough() }
                }
            }
        }
        #expect(try Player.query().resolve(in: store) == players)
    }

    // MARK: Delete

    @Test func delete_removesWhatIsFound() throws {
        #expect(try Player.filter(\.goals == 30).delete(in: store) == 3)
        #expect(try Player.filter(\.team == "A").delete(in: store) == 9)
        #expect(try Player.filter(\.team == "B").sorted(by: \.goals.desc).limit(2).delete(in: store) == 2)
        #expect(try Player.filter(\.team == "C").limit(3).offset(1).delete(in: store) == 3)
        let left = players.filter { player in
            switch player.team {
            case "B": player.number != 3 && player.number < 8
            case "C": player.number == 0 || player.number > 4
            default: false
            }
        }
        #expect(try Player.query().resolve(in: store) == left)
        #expect(try Player.filter(.everything).delete(in: store) == left.count)
        #expect(try Player.query().exists(in: store) == false)
    }

    @Test func delete_ofGroupsBackwards_removesThePage() throws {
        let page = Player.filter(.everything).sorted(by: \.team.desc, \.number).limit(12)
        #expect(try page.delete(in: store) == 12)
        #expect(try Player.query().resolve(in: store) == Array(players[..<10]) + Array(players[12..<20]))
    }

    // MARK: Inside a transaction

    @Test func queries_seeWhatTheirTransactionHasWritten() throws {
        try store.write { context in
            try context.insert(Player(team: "A", number: 20, goals: 500, weight: nil, rank: nil))
            try context.delete(players[3])
            let found = try Player.filter(\.team == "A").sorted(by: \.goals.desc).resolve(in: context)
            #expect(found.map(\.number) == [20, 9, 8, 7, 6, 5, 4, 2, 1, 0])
            let count = try Player.filter(\.goals >= 30, in: context).count()
            #expect(count == 21)
        }
    }

    @Test func forEach_mayWriteTheRecordsThatItScans() throws {
        try store.write { context in
            var seen = 0
            try Player.filter(\.goals < 50).forEach(in: context) { player in
                seen += 1
                try context.delete(player)
            }
            #expect(seen == 15)
        }
        #expect(try Player.query().count(in: store) == 15)
    }

    @Test func forEach_stops() throws {
        for query in [Player.filter(\.goals > 10), Player.filter(\.goals > 10).sorted(by: \.goals)] {
            var seen: [Int] = []
            try query.forEach(in: store) { player in
                seen.append(player.goals)
                return seen.count == 2 ? .stop : .continue
            }
            #expect(seen.count == 2)
        }
    }

    // MARK: Sums

    @Test func extremes_areThoseOfTheKeysOrder() throws {
        let all = Player.filter(.everything)
        #expect(try all.min(of: \.goals).resolve(in: store) == 0)
        #expect(try all.max(of: \.goals).resolve(in: store) == 90)
        #expect(try all.min(of: \.rank).resolve(in: store) == 2)
        #expect(try all.max(of: \.weight).resolve(in: store) == 4.5)
        #expect(try all.max(of: \.team).resolve(in: store) == "C")
        #expect(try all.limit(3).max(of: \.goals).resolve(in: store) == 20)
        #expect(try all.limit(3).offset(3).min(of: \.goals).resolve(in: store) == 30)
        #expect(try all.sorted(by: \.goals.desc).limit(4).min(of: \.goals).resolve(in: store) == 80)
        #expect(try Player.filter(\.number < 2).max(of: \.rank).resolve(in: store) == nil)
        #expect(try Player.filter(\.number > 99).min(of: \.goals).resolve(in: store) == nil)
    }

    @Test func sums_leaveOutNil() throws {
        let all = Player.filter(\.team == "A")
        #expect(try all.sum(of: \.goals).resolve(in: store) == 450)
        #expect(try all.sum(of: \.weight).resolve(in: store) == 20.5)
        #expect(try all.limit(3).sum(of: \.goals).resolve(in: store) == 30)
        #expect(try all.average(of: \.goals).resolve(in: store) == 45)
        #expect(try all.average(of: \.rank).resolve(in: store) == 5.5)
        #expect(try all.average(of: \.weight).resolve(in: store) == 20.5 / 9)
        #expect(try Player.filter(\.number > 99).average(of: \.goals).resolve(in: store) == nil)
        #expect(try Player.filter(\.number > 99).sum(of: \.goals).resolve(in: store) == 0)
    }

    @Test func aSumThatDoesNotFit_isAnError() throws {
        #expect(try Player.filter(\.team != "C").sum(of: \.rank).resolve(in: store) == 88)
        let error = storeError { try Player.filter(.everything).sum(of: \.rank).resolve(in: store) }
        #expect(error == .query(.sumOverflow(type: "Player", property: "\(\Player.rank)")))
    }
}

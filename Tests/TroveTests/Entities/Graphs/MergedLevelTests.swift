// Bulk queries read equal requests of a level together, with the result of requests one by one.

import Foundation
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Skipper: Codable {
    let id: Int
    @Relationship(inverse: \.crew) var crossings: [Crossing]?
    @Relationship(inverse: \.skipper) var commands: [Crossing]?
    @Relationship var favorite: Crossing? = nil

    static let calls = Mutex(0)
}

@EntityModel
private struct Crossing: Codable {
    let id: Int
    @Relationship(inverse: \.crossings) var crew: [Skipper]?
    @Relationship(inverse: \.commands) var skipper: Skipper?
    @Relationship var guests: [Skipper]? = nil

    static func nestedQueryModifier(_ query: Query<Crossing>, nested: [NestedRelations]) -> Query<Crossing> {
        query.withAllRelations(nested).filter { _ in
            Skipper.calls.withLock { $0 += 1 }
            return true
        }
    }
}

@Suite("Merged levels", .serialized) struct MergedLevelTests {
    private func text(_ entities: [some EntityModelProtocol & Encodable]) throws -> [String] {
        let encoder = JSONEncoder.prettyPrinting
        encoder.relationEncodingStrategy = .explicitKeyedContainer
        return try entities.map { try $0.prettyDescription(with: encoder) }
    }

    private func shaped(_ query: Query<Skipper>, _ forms: ArraySlice<NestedRelations>) -> Query<Skipper> {
        guard let form = forms.first else { return query }
        let rest = forms.dropFirst()
        switch form {
        case .ids: return query.id(\.$crossings).id(\.$commands).id(\.$favorite)
        case .fragments:
            return query.fragment(slice: \.$crossings) { shaped($0, rest) }
                .fragment(slice: \.$commands) { shaped($0, rest) }
                .fragment(\.$favorite) { single in single.changing { $0 = shaped($0, rest) } }
        default:
            return query.with(slice: \.$crossings) { shaped($0, rest) }.with(slice: \.$commands) { shaped($0, rest) }
                .with(\.$favorite) { single in single.changing { $0 = shaped($0, rest) } }
        }
    }

    private func shaped(_ query: Query<Crossing>, _ forms: ArraySlice<NestedRelations>) -> Query<Crossing> {
        guard let form = forms.first else { return query }
        let rest = forms.dropFirst()
        switch form {
        case .ids: return query.id(\.$crew).id(\.$skipper).id(\.$guests)
        case .fragments:
            return query.fragment(\.$crew) { shaped($0, rest) }.fragment(\.$guests) { shaped($0, rest) }
                .fragment(\.$skipper) { single in single.changing { $0 = shaped($0, rest) } }
        default:
            return query.with(\.$crew) { shaped($0, rest) }.with(\.$guests) { shaped($0, rest) }
                .with(\.$skipper) { single in single.changing { $0 = shaped($0, rest) } }
        }
    }

    @Test func bulkQueries_equalNestedQueries() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<25 {
            let seed = seed &+ UInt64(round)
            var random = SeededGenerator(seed: seed)
            func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
            func ids() -> [Int] { (0..<number(5)).map { _ in number(6) } }
            let store = try Store.temporary()
            for id in 0..<6 where number(5) > 0 {
                let skipper = number(6)
                try Crossing(id: id, crew: .ids(ids()), skipper: .id(skipper), guests: .ids(ids())).save(to: store)
            }
            for id in 0..<6 where number(5) > 0 {
                try Skipper(id: id, favorite: number(2) == 0 ? .id(number(6)) : .none).save(to: store)
            }
            let forms = (0..<1 + number(4)).map { _ in
                [NestedRelations.entities, .entities, .fragments, .ids][number(4)]
            }
            let comment: Comment = "TROVE_TEST_SEED=\(seed): \(forms)"
            #expect(
                try text(Skipper.query().with(forms).resolve(in: store))
                    == text(shaped(Query<Skipper>(), forms[...]).resolve(in: store)), comment)
        }
    }

    @Test func equalRequests_readEachTargetOnce() throws {
        let store = try Store.temporary()
        try Crossing(id: 1, crew: .relation([Skipper(id: 1), Skipper(id: 2)]), skipper: .id(1), guests: .ids([2]))
            .save(to: store)
        try Skipper(id: 1, favorite: .id(1)).save(to: store)
        Skipper.calls.withLock { $0 = 0 }
        let skippers = try Skipper.query().with(.entities, .entities, .entities).resolve(in: store)
        #expect(skippers.map { $0.favorite?.id } == [1, nil])
        #expect(skippers[0].commands?[0].guests?[0].crossings?.map(\.id) == [1])
        // The voyage, at the first and at the third depth.
        #expect(Skipper.calls.withLock { $0 } == 2)
    }
}

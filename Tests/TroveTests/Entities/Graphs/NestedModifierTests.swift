// Types that shape their part of bulk queries, as the documentation of `nestedQueryModifier` shows.

import Testing

@testable import Trove

@EntityModel
private struct Forum {
    let id: Int
    @Relationship var pinned: [ForumPost]? = nil
    @Relationship(inverse: \.forum) var posts: [ForumPost]?
}

@EntityModel
private struct ForumPost {
    let id: Int
    var sent: Int = 0
    @Relationship(inverse: \.posts) var forum: Forum?
}

extension Forum {
    static func nestedQueryModifier(_ query: Query<Forum>, nested: [NestedRelations]) -> Query<Forum> {
        query.withAllRelations(nested)
            .without(\.$pinned)
            .with(\.$posts) { $0.sorted(by: \.sent.desc).limit(2).with(Array(nested.dropFirst())) }
    }
}

extension ForumPost {
    static func nestedQueryModifier(_ query: Query<ForumPost>, nested: [NestedRelations]) -> Query<ForumPost> {
        query.withAllRelations(nested).with(\.$forum) { $0.with(Array(nested.dropFirst())) }
    }
}

@Suite("Types that shape bulk queries") struct NestedModifierTests {
    private let store: Store

    init() throws {
        store = try Store.temporary()
        let posts = (1...3).map { ForumPost(id: $0, sent: $0) }
        try Forum(id: 1, pinned: .ids([1]), posts: .relation(posts)).save(to: store)
    }

    @Test func theFormsEndTheQuery() throws {
        let forum = try #require(try Forum.queryAll(with: .entities).first(in: store))
        #expect(forum.posts?.map(\.id) == [3, 2] && forum.$pinned.isNone)
        #expect(forum.posts?[0].$forum.isNone == true)
        let deeper = try #require(try Forum.query(1).with(.entities, .entities).resolve(in: store))
        #expect(deeper.posts?[0].forum?.id == 1 && deeper.posts?[0].forum?.$posts.isNone == true)
        let post = try #require(try ForumPost.query(1).with(.entities, .entities, .ids).resolve(in: store))
        #expect(post.forum?.posts?[0].forum?.id == 1 && post.forum?.posts?[0].forum?.$posts.isNone == true)
    }

    @Test func withoutForms_noRelationIsRead() throws {
        #expect(try Forum.query().with([]).first(in: store)?.isNormalized == true)
        #expect(try Forum.query(1).with([]).resolve(in: store)?.isNormalized == true)
    }
}

// Queries for the words of texts.

import TroveCoding

extension IndexKeyRecord {
    /// Returns a query for the records whose texts match, by relevance; among equal scores, by key.
    ///
    /// ```swift
    /// let top = try Article.matching("ordered store").limit(10).resolve(in: store)
    /// ```
    ///
    /// - Parameters:
    ///   - query: The words. A string literal is a typed query; see ``TextQuery``.
    ///   - index: The name of a full-text index; nil for the first that has the query's properties.
    /// - Throws: When run, ``StoreError/TextError/noFullTextIndex(type:properties:)``.
    public static func matching(_ query: TextQuery<Self>, index: String? = nil) -> Query<Self> {
        Query().filter(.matches(query, index: index))
    }

    /// Returns a query for the records whose texts match typed text, by relevance; among equal scores, by key.
    ///
    /// - Parameters:
    ///   - typed: Any text, as a user types it.
    ///   - index: The name of a full-text index; nil for the first that has the query's properties.
    /// - Throws: When run, ``StoreError/TextError/noFullTextIndex(type:properties:)``.
    @_disfavoredOverload
    public static func matching(_ typed: String, index: String? = nil) -> Query<Self> {
        matching(TextQuery(typed), index: index)
    }
}

extension QueryShaping {
    /// Returns the query for its records whose texts match: `filter(.matches(query))`.
    ///
    /// - Parameters:
    ///   - query: The words. A string literal is a typed query; see ``TextQuery``.
    ///   - index: The name of a full-text index; nil for the first that has the query's properties.
    public func matching(_ query: TextQuery<Record>, index: String? = nil) -> Self {
        filter(.matches(query, index: index))
    }

    /// Returns the query for its records whose texts match typed text: `filter(.matches(typed))`.
    ///
    /// - Parameters:
    ///   - typed: Any text, as a user types it.
    ///   - index: The name of a full-text index; nil for the first that has the query's properties.
    @_disfavoredOverload
    public func matching(_ typed: String, index: String? = nil) -> Self { filter(.matches(typed, index: index)) }
}

extension Filter {
    /// Creates a filter for the records whose texts match.
    ///
    /// - Parameters:
    ///   - query: The words. A string literal is a typed query; see ``TextQuery``.
    ///   - index: The name of a full-text index; nil for the first that has the query's properties.
    /// - Throws: When run, ``StoreError/TextError/noFullTextIndex(type:properties:)``, and
    ///   ``StoreError/SchemaError/noSuchIndex(type:index:indexes:)`` for another name. For queries in code also
    ///   ``StoreError/TextError/notInTextIndex(type:properties:searched:)``,
    ///   ``StoreError/TextError/noPhrases(type:index:)``, ``StoreError/QueryError/notStored(type:property:)`` and
    ///   ``StoreError/TextError/textTooDeep(type:limit:)``.
    /// - Complexity: O(*n*) in the number of records with the words. A search for the best hits passes over most of
    ///   them.
    public static func matches(_ query: TextQuery<Record>, index: String? = nil) -> Filter {
        Filter(keys: { () throws(StoreError) in
            let source = TextSource(query, index: index)
            try source.check()
            return source
        })
    }

    /// Creates a filter for the records whose texts match typed text.
    ///
    /// - Parameters:
    ///   - typed: Any text, as a user types it.
    ///   - index: The name of a full-text index; nil for the first that has the query's properties.
    @_disfavoredOverload
    public static func matches(_ typed: String, index: String? = nil) -> Filter {
        matches(TextQuery(typed), index: index)
    }
}

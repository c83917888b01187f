// How the requests of queries are observed: which reader finds out whether a value has changed.

import TroveCoding

extension CountRequest: ReadableRequest {
    func reader() throws -> any ObservedReader<Int> {
        guard let query = base as? Query<Base.Record>, let reader = try CountReader(query) else {
            return RequestReader(value, isEqual: ==)
        }
        return reader
    }
}

extension ExistsRequest: ReadableRequest {
    func reader() -> any ObservedReader<Bool> { RequestReader(value, isEqual: ==) }
}

extension KeysRequest: ReadableRequest {
    func reader() throws -> any ObservedReader<[Record.IndexKey]> {
        try RowsReader(query.inSomeOrder, keepsRecords: false) { state in
            try (0..<state.rows.count).map { try Record.key(state.rows.keys.key(at: $0)) }
        }
    }
}

extension SumRequest: ReadableRequest {
    func reader() -> any ObservedReader<Property.Number> { RequestReader(value, isEqual: haveSameContents) }
}

extension AverageRequest: ReadableRequest {
    func reader() -> any ObservedReader<Property.Number.Average?> { RequestReader(value, isEqual: haveSameContents) }
}

extension ExtremeRequest: ReadableRequest {
    func reader() -> any ObservedReader<Property._Unwrapped?> { RequestReader(value, isEqual: haveSameContents) }
}

extension GroupRequest: ReadableRequest {
    func reader() -> any ObservedReader<Value> { RequestReader(value, isEqual: haveSameContents) }
}

extension PropertyRequest: ReadableRequest {
    func reader() -> any ObservedReader<[Property]> {
        let request = PropertyRequest(query.inSomeOrder, property.path)
        return RequestReader(request.value, isEqual: haveSameContents)
    }
}

extension PropertiesRequest: ReadableRequest {
    func reader() -> any ObservedReader<[(First, Second, repeat each Rest)]> {
        let request = PropertiesRequest(of: first.path, second.path, repeat (each rest).path, in: query.inSomeOrder)
        return RequestReader(request.value, isEqual: haveSameContents)
    }
}

extension HitsRequest: ReadableRequest {
    func reader() -> any ObservedReader<[TextHit<Record>]> {
        RequestReader(value) { left, right in
            try left.map(\.score) == right.map(\.score)
                && ContentHash.of(left.map(\.record)) == ContentHash.of(right.map(\.record))
        }
    }
}

extension RelatedGroupsRequest: ReadableRequest {
    func reader() -> any ObservedReader<[RelatedGroup<Owner, Target>]> {
        RequestReader(value) { left, right in
            guard left.count == right.count else { return false }
            return try zip(left, right).allSatisfy { left, right in
                try KeyWriter.bytes(of: left.owner) == KeyWriter.bytes(of: right.owner)
                    && left.targets.count == right.targets.count
                    && ContentHash.of(left.targets) == ContentHash.of(right.targets)
            }
        }
    }
}

extension LinkCountRequest: ReadableRequest {
    func reader() -> any ObservedReader<Int> { RequestReader(value, isEqual: ==) }
}

extension Bound where Source == Store {
    /// Returns the changes of the list of matching records; see ``Query/changes(in:)``.
    public func changes<Record>() -> ObservedValues<ListChange<Record>> where Request == Query<Record> {
        request.changes(in: source)
    }
}

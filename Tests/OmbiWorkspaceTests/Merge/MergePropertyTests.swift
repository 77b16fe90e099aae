import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The merge of random edits of random trees.
@Suite struct MergePropertyTests {
    @Test(arguments: 0..<300) func `merged with itself or with no change a collection stays as it is`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let base = Collection.random(&random)
        var mine = base
        for number in 0..<8 { mine.edit("m\(number)", &random) }
        #expect(base.merging(base, since: base).collection == base)
        #expect(mine.merging(mine, since: base).collection == mine)
        #expect(mine.merging(mine, since: base).conflicts.isEmpty)
        #expect(mine.merging(base, since: base) == CollectionMerge(collection: mine, theirs: base, conflicts: []))
        let taken = base.merging(mine, since: base)
        #expect(taken.collection == mine && taken.conflicts.isEmpty)
    }

    @Test(arguments: 0..<300) func `edits of different requests come to both of them`(seed: Int) {
        var random = SeededRandom(seed: seed)
        let base = Collection.random(&random)
        let ids = base.requests.map(\.id).shuffled(using: &random)
        let (left, right) = (ids.prefix(ids.count / 2), ids.suffix(ids.count / 2))
        var (mine, theirs, both) = (base, base, base)
        for (index, id) in left.enumerated() {
            mine.update(id) { $0.path = "/mine\(index)" }
            both.update(id) { $0.path = "/mine\(index)" }
        }
        for (index, id) in right.enumerated() {
            theirs.update(id) { $0.query = [Field("q", "\(index)")] }
            both.update(id) { $0.query = [Field("q", "\(index)")] }
        }
        let merge = mine.merging(theirs, since: base)
        #expect(merge.collection == both && merge.conflicts.isEmpty)
        let swapped = theirs.merging(mine, since: base)
        #expect(swapped.collection == both && swapped.conflicts.isEmpty)
    }

    @Test(arguments: 0..<1000) func `nothing that a side added or changed is lost, and nothing stands there twice`(
        seed: Int
    ) {
        var random = SeededRandom(seed: seed)
        let base = Collection.random(&random)
        var (mine, theirs) = (base, base)
        for number in 0..<6 {
            mine.edit("m\(number)", &random)
            theirs.edit("t\(number)", &random)
        }
        let merge = mine.merging(theirs, since: base)
        let ids = merge.collection.allIDs
        #expect(Set(ids).count == ids.count)
        for (side, other) in [(mine, theirs), (theirs, mine)] {
            for request in side.requests where base.request(request.id) != request {
                let isKept = merge.collection.request(request.id) == request
                let isConflict = merge.conflicts.contains(.item(request.id))
                #expect(isKept || isConflict, "\(request.name)")
                #expect(isKept || other.request(request.id) != base.request(request.id))
            }
        }
        // Every choice can be made, and ends the conflict.
        var resolved = merge.collection
        for part in merge.conflicts { resolved.take(part, from: merge.theirs) }
        for part in merge.conflicts {
            guard case .item(let id) = part, merge.theirs.request(id) != nil else { continue }
            #expect(resolved.text(of: part) == merge.theirs.text(of: part))
        }
        #expect(Set(resolved.allIDs).count == resolved.allIDs.count)
        #expect(CollectionFile.read(Array(resolved.text.utf8), file: "f").collection != nil)
    }

    @Test(arguments: 0..<100) func `a file that is read again has the identities that it had`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let base = Collection.random(&random)
        let read = try #require(CollectionFile.read(Array(base.text.utf8), file: "f").collection)
        #expect(read.withIdentities(of: base) == base)
    }
}

extension Collection {
    fileprivate static func random(_ random: inout SeededRandom) -> Collection {
        var number = 0
        func items(_ depth: Int) -> [CollectionItem] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                number += 1
                if depth < 3, Int.random(in: 0..<3, using: &random) == 0 {
                    return .folder(Folder(name: "f\(number)", items: items(depth + 1)))
                }
                return .request(SavedRequest(name: "r\(number)", path: "/\(number)"))
            }
        }
        return Collection(name: "c", items: items(0))
    }

    fileprivate var allIDs: [ItemID] {
        func ids(_ items: [CollectionItem]) -> [ItemID] { items.flatMap { [$0.id] + ids($0.items) } }
        return ids(items)
    }

    /// One random edit: of a request, a name, the order, a folder; an addition or a deletion.
    fileprivate mutating func edit(_ name: String, _ random: inout SeededRandom) {
        let ids = allIDs
        guard let id = ids.randomElement(using: &random) else {
            insert(.request(SavedRequest(name: name, path: "/" + name)), .root)
            return
        }
        switch Int.random(in: 0..<7, using: &random) {
        case 0: update(id) { $0.path = "/" + name }
        case 1: rename(id, name)
        case 2: moveAmongSiblings(id, &random)
        case 3: insert(.request(SavedRequest(name: name, path: "/" + name)), .after(id))
        case 4: insert(.request(SavedRequest(name: name, path: "/" + name)), .into(id))
        case 5: remove(id)
        default:
            let folders = ids.filter {
                if case .folder? = item($0) { $0 != id && !ancestors(of: $0).contains(id) } else { false }
            }
            guard let folder = folders.randomElement(using: &random), let item = remove(id) else { return }
            insert(item, .into(folder))
        }
    }
}

/// Gives the runs of an item, and of all that is in it, to another path.
struct HistoryMove {
    let database: Database

    func move(_ old: ItemPath, to new: ItemPath) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for (id, names) in try requests(below: old) {
                let target = ItemPath(file: new.file, path: new.path + names.dropFirst(old.path.count))
                try move(id, to: target)
            }
        }
    }

    private func requests(below item: ItemPath) throws(DatabaseError) -> [(id: Int, names: [String])] {
        let all = try database.rows("SELECT id, path FROM request WHERE file = ?", [.text(item.file)]) {
            (id: $0.integer(0), names: HistoryPath.names($0.text(1)))
        }
        return all.filter { $0.names.starts(with: item.path) }
    }

    /// A path that has runs already takes these as well.
    private func move(_ id: Int, to path: ItemPath) throws(DatabaseError) {
        let (file, names) = (Database.Value.text(path.file), Database.Value.text(HistoryPath.text(path.path)))
        let other = try database.first("SELECT id FROM request WHERE file = ? AND path = ?", file, names) {
            $0.integer(0)
        }
        guard let other, other != id else {
            try database.run("UPDATE request SET file = ?, path = ? WHERE id = ?", file, names, .integer(id))
            return
        }
        try database.run("UPDATE run SET request = ? WHERE request = ?", .integer(other), .integer(id))
        try HistoryTallies.join(id, to: other, in: database)
        try database.run("DELETE FROM request WHERE id = ?", .integer(id))
    }
}

import OmbiWorkspace

/// The requests of `ombi run --changed-since`: those of which a part of the file is another than at a revision of git.
enum ChangedRequests {
    /// A collection file at the revision.
    private enum Earlier {
        /// The same, byte by byte.
        case same
        /// There was none, or none that can be read.
        case missing
        case other(RequestChanges)
    }

    /// Returns the jobs that are sent; all of a file that is new.
    static func of(_ jobs: [Job], since revision: String) throws -> [Job] {
        // The jobs of a file have one environment.
        var files: [String: Earlier] = [:]
        var changed: [Job] = []
        for job in jobs {
            let earlier: Earlier
            if let known = files[job.order.file] {
                earlier = known
            } else {
                earlier = try read(job.order, revision)
                files[job.order.file] = earlier
            }
            switch earlier {
            case .same: break
            case .missing: changed.append(job)
            case .other(let changes): if changes.isChanged(job.request.id) { changed.append(job) }
            }
        }
        return changed
    }

    private static func read(_ order: RunOrder, _ revision: String) throws -> Earlier {
        guard !PosixFileSystem().isFolder(order.file) else {
            say("\(order.file) is a folder of another tool, so all of its requests are sent")
            return .missing
        }
        let (path, now) = try current(order.file)
        guard let known = try content(of: path, revision) else { return .missing }
        if known == now { return .same }
        let read = CollectionFile.read(known, file: order.file).collection
        // Requests that are based on operations are so now, too: the document is a file of its own.
        let earlier = LoadedCollection(path: order.file, collection: read, fingerprint: .absent).specified()
        guard let old = earlier.collection else {
            say("\(order.file) cannot be read as it was at \(revision), so all of its requests are sent")
            return .missing
        }
        return .other(RequestChanges(from: old, to: order.collection, environment: order.environment))
    }

    /// Returns the path without links, which git keeps as links, and the content.
    private static func current(_ file: String) throws -> (path: String, content: [UInt8]) {
        let system = PosixFileSystem()
        do throws(FileError) {
            let path = try system.resolve(file)
            return (path, try system.read(path))
        } catch {
            say(error.description)
            throw ExitStatus.inputOutput
        }
    }

    private static func content(of path: String, _ revision: String) throws -> [UInt8]? {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        do throws(GitRevision.Failure) {
            return try GitRevision(revision, in: folder).content(of: String(path[slash...].dropFirst()))
        } catch {
            say(error.reason)
            throw ExitStatus.misuse
        }
    }

    private static func say(_ message: String) { StandardError.print("ombi: " + SafeText.line(message)) }
}

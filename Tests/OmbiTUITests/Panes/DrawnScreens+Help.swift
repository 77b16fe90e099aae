/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                  u                Undo the last edit of the collection    ││
        ││ ] Enter          Go to the next tab                       U Ctrl+R         Redo the edit undone last               ││
        ││ [                Go to the previous tab                   Ctrl+N           Open a scratch request, which is in no  ││
        ││ Left h           Scroll left                                               file                                    ││
        ││ Right l          Scroll right                             Tab              Go to the next pane                     ││
        ││ ,                Show the response before this one        Shift+Tab        Go to the previous pane                 ││
        ││ .                Show the response after this one         1                Go to the requests                      ││
        ││ X                Expect the value under the cursor        2                Go to the request                       ││
        ││ Y                Choose what to copy                      3                Go to the response                      ││
        ││                                                           z                Toggle full screen for this pane        ││
        ││ Lists and bodies                                          Alt+Left         Move the divider left                   │┪
        ││ Up k             Move up                                  Alt+Right        Move the divider right                  │┃
        ││ Down j           Move down                                Alt+Up           Move the divider up                     │┃
        ││ PageUp           Move a page up                           Alt+Down         Move the divider down                   │┃
        ││ PageDown Space   Move a page down                         H                Show the history of the request         │┃
        ││ Ctrl+U           Move half a page up                      y                Copy what is under the cursor           │┃
        ││ Ctrl+D           Move half a page down                    Ctrl+L           Redraw the screen                       │┃
        ││ g Home           Go to the top                            Ctrl+Z           Suspend Ombi (fg resumes it)            │┃
        ││ G End            Go to the end                            Esc              Leave full screen                       │┃
        ││                                                           : Ctrl+P         Find a command, a request or an         │┃
        ││ Everywhere                                                                 environment                             │┃
        ││ s F5             Send the request; run the folder or      L                Show the message log                    │┃
        ││                  the collection                           F1               Open the manual                         │┃
        ││ x                Cancel the run                           ?                Show this help                          │┃
        ││ r                Retry now: end the wait or the attempt   q Ctrl+C         Quit, after a question about unsaved    │┃
        ││ +                Allow one more attempt                                    edits                                   │┃
        ││ E                Switch the environment                                                                            │┃
        ││ w                Save the collection                      Symbols                                                  │┃
        ││ T                Show the run of the last folder          ●                Has unsaved edits                       │┃
        │└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                  Editing a field                                          ││
        ┃│ c                Copy the item to a folder                Alt+c            Copy the selection, or the line         ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                           Editing a body                                           ││
        ┃│ Everywhere                                                Alt+c            Copy the selection, or the line         ││
        ┃│ y                Copy what is under the cursor                                                                     ││
        ┃│                                                                                                                    ││
        ┃│ Marked requests                                                                                                    ││
        ┃│ P                Copy the marked items here                                                                        │┤
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Response                                                                                                           ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│ Alt+y            Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter keep  Esc all keys
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}

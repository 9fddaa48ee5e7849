//! What publishers and users of QDN ask.

use super::{Question, questions};

pub(super) static QUESTIONS: &[Question] = questions! {
    Core {
        "Did my video publish, and why does it not load?":
            get_qdn_resource_status {"service": "VIDEO", "name": "rita-trades", "identifier": "clip"} => {
                "/status": "MISSING_DATA",
                "/localChunkCount": 2,
                "/totalChunkCount": 6,
                "/isReadable": false
            }
        "What is published in this blog?":
            search_qdn_resources {"service": "BLOG_POST", "name": "rita-trades"} => {
                "/resources/0/title": "Another post",
                "/resources/1/title": "First post (revised)",
                "/truncated": false
            }
        "What does this document say?":
            get_qdn_resource {"service": "DOCUMENT", "name": "victor", "identifier": "doc1"} => {
                "/text": "hello qdn file contents 0123456789"
            }
        "And this mail?":
            get_qdn_resource {"service": "MAIL_PRIVATE", "name": "Bób-Name", "identifier": "mail-1"} => {
                "/isEncrypted": true,
                "/text": null
            }
    }
    Standard {
        "Who keeps my video?":
            get_qdn_resource_status {
                "service": "VIDEO", "name": "rita-trades", "identifier": "clip", "include_peers": true
            } => {
                "/peers/peerCount": 0
            }
        "Why does my website not load?":
            get_qdn_resource_status {"service": "WEBSITE", "name": "victor"} => {
                "/status": "READY",
                "/isReadable": true
            }
        "Which websites are the newest?":
            search_qdn_resources {"service": "WEBSITE"} => {
                "/resources/0/service": "WEBSITE"
            }
        "What fills my node's disk?":
            list_hosted_qdn {"limit": 1} => {
                "/count": 19,
                "/totalSpace": 710807,
                "/hosted/0/name": "victor"
            }
        "What is this qortal:// link in a message?":
            inspect_identifier {"text": "qortal://DOCUMENT/victor?identifier=doc1"} => {
                "/kind": "QDN link",
                "/meanings/0/next/tool": "get_qdn_resource_status"
            }
        "How do I publish on QDN?":
            explain_topic {"topic": "qdn_publishing"} => {
                "/title": "Publishing on QDN"
            }
    }
    Full {
        "Which tags and files has this document?":
            get_qdn_metadata {"service": "DOCUMENT", "name": "victor", "identifier": "report-2026"} => {
                "/title": "Annual report",
                "/files": ["report.txt"]
            }
        "Are all my publications whole?":
            check_publications {"name": "rita-trades"} => {
                "/publishedCount": 5,
                "/wholeCount": 2,
                "/incomplete/2/status": "MISSING_DATA"
            }
        "What do search apps find for these words?":
            search_qdn_index {"terms": ["weather"]} => {
                "/matches/0/link": "qortal://DOCUMENT/victor/doc1"
            }
        "Does my node host this blog?":
            search_hosted_qdn {"query": "post-2"} => {
                "/total": 1,
                "/resources/0/service": "BLOG_POST",
                "/resources/0/name": "rita-trades"
            }
    }
};

import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { errors as zhCN } from '#web/i18n/zh-CN/errors.ts'

export const errors: TextsOf<typeof zhCN> = {
  'errors.loginExpired': 'Sesi anda telah tamat. Log masuk semula',
  'errors.userNotLogin': 'Pengguna belum log masuk',
  'errors.unauthorized': 'Tidak dibenarkan. Log masuk dan cuba lagi',
  'errors.badCredentials': 'Nama pengguna atau kata laluan salah',
  'errors.authorityDeny': 'Akses ditolak',
  'errors.originNotAllowed':
    'Permintaan ini datang dari alamat yang lain daripada alamat laman ini dan telah ditolak. Jika anda memang di laman ini, pentadbir perlu menetapkan portal.public_origin (COMMONS_PORTAL_PUBLIC_ORIGIN) kepada alamat dalam pelayar',
  'errors.tooManySignInAttempts': 'Terlalu banyak cubaan log masuk. Cuba lagi kemudian',
  'errors.tooManySignInAttempts.detailed': 'Terlalu banyak cubaan log masuk. Cuba lagi dalam {retry_after_seconds}',
  'errors.tooManyRequests': 'Terlalu banyak permintaan. Cuba lagi sebentar nanti',
  'errors.tooManyRequests.detailed': 'Terlalu banyak permintaan. Cuba lagi dalam {retry_after_seconds}',
  'errors.currentPasswordRequired': 'Anda log masuk lebih sejam yang lalu. Masukkan kata laluan semasa sekali lagi',
  'errors.currentPasswordWrong': 'Kata laluan semasa salah',
  'errors.requestValidationError': 'Sebahagian kandungan yang dihantar tidak sah',
  'errors.invalidParams': 'Parameter tidak sah',
  'errors.invalidRequest': 'Permintaan tidak sah',
  'errors.resourceNotFound': 'Tidak dijumpai',
  'errors.methodNotAllowed': 'Alamat ini tidak menerima permintaan jenis itu',
  'errors.bodyTooLarge': 'Kandungan yang dihantar terlalu besar',
  'errors.mediaTypeNotSupported': 'Jenis kandungan ini tidak disokong',
  'errors.internal': 'Ralat dalaman pelayan',
  'errors.internal.detailed': 'Ralat dalaman pelayan, permintaan {request_id}',
  'errors.timeout': 'Permintaan tamat masa',
  'errors.serverStopping': 'Pelayan sedang dimulakan semula dan akan kembali sebentar lagi',
  'errors.diskFull':
    'Cakera pelayan penuh, jadi tiada apa-apa boleh disimpan buat masa ini. Semuanya pulih sendiri selepas pentadbir mengosongkan ruang',
  'errors.diskNotWritable':
    'Cakera pelayan tidak boleh ditulis, jadi tiada apa-apa boleh disimpan buat masa ini. Sila maklumkan pentadbir',
  'errors.databaseUnreachable':
    'Pelayan tidak dapat mencapai pangkalan datanya buat masa ini. Semuanya pulih sendiri apabila sambungan kembali',
  'errors.userNotExist': 'Pengguna ini tidak wujud',
  'errors.userAlreadyExists': 'Nama pengguna ini telah digunakan',
  'errors.invitationNotFound': 'Jemputan itu tiada; mungkin telah dibatalkan',
  'errors.changedMeanwhile': 'Orang lain baru sahaja mengubah perkara yang sama. Lihat kedua-duanya sebelum menyimpan',
  'errors.reserveTooSmall': 'Simpanan tidak cukup; tinggal {left}',
  'errors.noWebAccount': 'Tiada akaun web disambungkan',
  'errors.upstreamNotFound': 'Akaun ini tidak dijumpai. Mungkin ia telah dibuang',
  'errors.emailTaken': 'Akaun lain sudah menggunakan alamat e-mel ini',
  'errors.keyUnreadable':
    'Kunci akaun ini yang disimpan tidak dapat dibuka, jadi ia tidak ditanya. Pentadbir perlu memasukkan kunci itu semula',
  'errors.ownKeyUnreadable':
    'Kunci titik akhir anda yang disimpan tidak dapat dibuka, jadi tiada apa-apa ditanya. Masukkan semula dalam profil anda',
  'errors.conversationNotFound': 'Perbualan tidak dijumpai',
  'errors.conversationGone':
    'Akaun web tidak mengenali perbualan ini: ia berada pada akaun lain, atau sejarah tidak disimpan, atau ia telah dipadam di sana. Ia boleh dibaca dan dieksport, tetapi tidak boleh disambung',
  'errors.customGptRefused':
    'Akaun web tidak boleh menggunakan GPT tersuai perbualan ini. Ia boleh dibaca dan dieksport, tetapi tidak boleh disambung buat masa ini; sehari kemudian boleh dicuba lagi',
  'errors.conversationAlreadyDeleted': 'Perbualan ini telah dipadam',
  'errors.deletionNotFound': 'Pemadaman tidak dijumpai',
  'errors.promptNotFound': 'Gesaan tersimpan itu tiada; mungkin telah dibuang',
  'errors.tooManyPrompts': 'Paling banyak {most} gesaan tersimpan: buang sebahagian dahulu',
  'errors.usageRequestAnswered': 'Ia sudah dijawab',
  'errors.generateTitleFailed': 'Tajuk tidak dapat dijana',
  'errors.missingMessage': 'Mesej tiada kandungan',
  'errors.messageNotFound': 'Mesej tidak dijumpai',
  'errors.messageIsBeingAnswered': 'Soalan ini sedang dijawab. Hentikan jawapan sebelum menariknya balik',
  'errors.forkNotPossible': 'Perbualan daripada sumber ini tidak boleh disalin ke perbualan baharu',
  'errors.userNotFound': 'Pengguna tidak dijumpai',
  'errors.invalidAskRequest': 'Soalan tidak lengkap atau tidak sah',
  'errors.invalidAskRequest.detailed': 'Dalam soalan itu, {field} tiada atau tidak sah',
  'errors.userNotAllowToUseChatType': 'Anda belum dibenarkan menggunakan sumber ini. Hubungi pentadbir',
  'errors.chatTypeNotEnabled': 'Sumber ini dimatikan',
  'errors.userChatTypeExpired': 'Tempoh anda untuk sumber ini telah tamat. Minta pentadbir melanjutkannya',
  'errors.userNotAllowToAskAtThisTime': 'Soalan tidak dibenarkan pada waktu ini',
  'errors.userNotAllowToUseModel': 'Anda belum dibenarkan menggunakan model ini. Hubungi pentadbir',
  'errors.modelNotEnabled': 'Model ini tidak diaktifkan',
  'errors.notSupportedBySource': 'Akaun jenis ini tidak menyediakannya',
  'errors.dialectNotSpoken':
    'Alat anda bertanya dengan cara yang tidak difahami oleh mana-mana akaun yang ada model ini',
  'errors.noAvailableTotalAskCount': 'Bilangan soalan anda telah habis',
  'errors.noAvailableModelAskCount': 'Bilangan soalan anda untuk model ini telah habis',
  'errors.askedTooOften': 'Bilangan soalan anda bagi tempoh ini telah habis. Cuba lagi kemudian',
  'errors.askedTooOften.detailed':
    'Bilangan soalan anda bagi tempoh ini telah habis. Tanya lagi dalam {retry_after_seconds}',
  'errors.limitReached': 'Bilangan soalan anda bagi tempoh ini telah habis',
  'errors.limitReached.detailed': '{amount} soalan anda bagi tempoh ini telah habis',
  'errors.tokensReached': 'Token anda bagi tempoh ini telah habis',
  'errors.tokensReached.detailed': 'Baki {amount} token anda bagi tempoh ini tidak cukup untuk soalan ini',
  'errors.budgetReached': 'Bajet anda bagi tempoh ini telah habis',
  'errors.budgetReached.detailed': 'Baki {amount} {currency} anda bagi tempoh ini tidak cukup untuk soalan ini',
  'errors.poolEmpty': 'Akaun ini sudah habis bagi tempoh ini',
  'errors.poolEmpty.detailed': '{account} sudah habis bagi tempoh ini',
  'errors.shareUsed': 'Bahagian anda sudah habis, dan tiada yang boleh dipinjam sekarang',
  'errors.shareUsed.detailed': 'Bahagian anda bagi {account} sudah habis, dan tiada yang boleh dipinjam sekarang',
  'errors.modelHasNoPrice': 'Model ini belum ada harga. Hubungi pentadbir',
  'errors.maxConversationCountReached':
    'Bilangan perbualan anda telah mencapai had. Padam sebahagian untuk memulakan yang baharu',
  'errors.uploadingNotAllowed': 'Memuat naik fail tidak dibenarkan',
  'errors.cannotConnectMoreThanOneClient':
    'Satu lagi perbualan anda sedang menunggu jawapan. Tanya semula selepas ia selesai atau dihentikan',
  'errors.queueFull': 'Terlalu ramai yang menunggu. Cuba lagi kemudian',
  'errors.quietAsksFull':
    '{most} soalan anda sudah menunggu masa lapang. Tunggu sebahagiannya dijawab, atau tarik balik sebahagiannya',
  'errors.quietOver': 'Tiada masa lapang sehingga {until_at}, jadi soalan ini tidak ditanya',
  'errors.upstreamGone':
    'Akaun yang digunakan untuk perbualan ini telah dibuang. Perbualan boleh dibaca, tetapi tidak boleh disambung',
  'errors.upstreamNotAvailable': 'Tiada akaun yang menjawab soalan untuk model ini sekarang. Cuba lagi kemudian',
  'errors.teamConversationNotAllowed': 'Anda tidak dibenarkan menggunakan perbualan pasukan',
  'errors.fileOfOtherAccount':
    'Fail ini berada pada akaun lain dan tidak boleh digunakan dalam perbualan ini. Sila muat naik semula di sini',
  'errors.askNotFound': 'Soalan ini tidak dijumpai',
  'errors.askAlreadyUsed': 'ID soalan ini telah digunakan',
  'errors.conversationTooLong': 'Perbualan ini terlalu panjang. Mulakan yang baharu',
  'errors.interrupted': 'Jawapan terganggu',
  'errors.paidModelNotAvailable': 'Model berbayar tidak tersedia buat masa ini',
  'errors.userNotAllowToUsePaidModel': 'Anda belum dibenarkan menggunakan model berbayar. Hubungi pentadbir',
  'errors.userNotAllowToUseGPT4Model': 'Anda belum dibenarkan menggunakan GPT-4. Hubungi pentadbir',
  'errors.noAvailableGPT4AskCount': 'Bilangan soalan GPT-4 anda telah habis',
  'errors.pluginsCountMoreThan3': 'Pilih paling banyak 3 pemalam',
  'errors.pluginsNotAllowed': 'Hanya model pemalam boleh menggunakan pemalam',
  'errors.arkoseError': 'Pengesahan gagal',
  'errors.openai.400': 'Penyedia tidak menerima permintaan ini (400). Hubungi pentadbir',
  'errors.openai.401': 'Penyedia tidak menerima akaun atau kunci yang digunakan di sini (401). Hubungi pentadbir',
  'errors.openai.403': 'Penyedia menolak akses (403). Hubungi pentadbir',
  'errors.openai.404': 'Penyedia tidak mempunyai model atau alamat ini (404). Hubungi pentadbir',
  'errors.openai.429': 'Had di pihak penyedia telah dilebihi (429). Cuba lagi kemudian atau hubungi pentadbir',
  'errors.openai.429.detailed':
    'Had di pihak penyedia telah dilebihi (429). Cuba lagi dalam {retry_after_seconds} atau hubungi pentadbir',
  'errors.openai.429.until':
    'Had di pihak penyedia telah dilebihi (429). Cuba lagi dalam {retry_after_seconds}, pada {retry_at}',
  'errors.openai.429.ofModel':
    'Had model ini di pihak penyedia telah dilebihi (429). Cuba lagi dalam {retry_after_seconds}, pada {retry_at}, atau pilih model lain sekarang',
  'errors.openai.500': 'Ralat di pihak penyedia (500). Cuba lagi kemudian atau hubungi pentadbir',
  'errors.openai.500.detailed': 'Ralat di pihak penyedia ({status}). Cuba lagi kemudian atau hubungi pentadbir',
  'errors.openai.500.until':
    'Ralat di pihak penyedia ({status}). Cuba lagi dalam {retry_after_seconds}, pada {retry_at}',
  'errors.openai.unknown': 'Penyedia memberi jawapan yang tidak dijangka. Hubungi pentadbir',
  'errors.openai.unknown.detailed': 'Penyedia memberi jawapan yang tidak dijangka ({status}). Hubungi pentadbir',
  'errors.openai.quota': 'Baki atau kuota di pihak penyedia sudah habis. Hubungi pentadbir',
  'errors.openai.quota.until':
    'Baki atau kuota di pihak penyedia sudah habis. Cuba lagi dalam {retry_after_seconds}, pada {retry_at}',
  'errors.openai.quota.ofModel':
    'Kuota model ini di pihak penyedia sudah habis. Cuba lagi dalam {retry_after_seconds}, pada {retry_at}, atau pilih model lain sekarang',
  'errors.openai.contextTooLong':
    'Perbualan ini lebih panjang daripada yang boleh dibaca oleh model. Pendekkan soalan atau mulakan perbualan baharu',
  'errors.openai.contextTooLong.overHeaviest':
    'Perbualan ini {over_tokens} token lebih panjang daripada yang boleh dibaca oleh model. “{heaviest}” paling panjang, kira-kira {heaviest_tokens}. Tinggalkan atau pilih halaman, atau mulakan perbualan baharu',
  'errors.openai.contextTooLong.heaviest':
    'Perbualan ini lebih panjang daripada yang boleh dibaca oleh model. “{heaviest}” paling panjang, kira-kira {heaviest_tokens} token. Tinggalkan atau pilih halaman, atau mulakan perbualan baharu',
  'errors.openai.contextTooLong.over':
    'Perbualan ini {over_tokens} token lebih panjang daripada yang boleh dibaca oleh model. Pendekkan soalan atau mulakan perbualan baharu',
  'errors.openai.contextTooLong.detailed':
    'Perbualan ini lebih panjang daripada yang boleh dibaca oleh model ({most_tokens} token). Pendekkan soalan atau mulakan perbualan baharu',
  'errors.openai.picturesNotTaken': 'Model ini tidak melihat gambar. Pilih model lain, atau hantar teks',
  'errors.openai.filesNotTaken':
    'Model ini tidak menerima fail. Hantar sebagai teks atau gambar, atau pilih model lain',
  'errors.openai.tooManyPictures': 'Gambar lebih banyak daripada yang diterima oleh model. Kurangkan gambar',
  'errors.openai.tooManyPictures.detailed':
    'Gambar lebih banyak daripada yang diterima oleh model (paling banyak {most}). Kurangkan gambar',
  'errors.openai.pictureTooLarge':
    'Satu gambar lebih besar daripada yang diterima oleh model. Lampirkan gambar yang lebih kecil',
  'errors.openai.pictureUnreadable': 'Penyedia tidak dapat membaca satu gambar. Lampirkan sebagai JPEG atau PNG',
  'errors.openai.modelNotFound': 'Penyedia tidak mempunyai model ini. Pilih model lain atau hubungi pentadbir',
  'errors.openai.contentFilter':
    'Penapis kandungan penyedia menghentikan permintaan ini. Cuba lagi dengan kata-kata lain',
  'errors.openai.oneAtATime':
    'Akaun di pihak penyedia menjawab satu soalan pada satu masa, dan masih sibuk selepas beberapa cubaan. Tanya lagi kemudian',
  'errors.openai.uploadLimit':
    'Akaun di pihak penyedia tidak menerima fail lagi buat masa ini. Cuba lagi kemudian, atau tanya tanpa fail',
  'errors.openai.uploadLimit.until':
    'Akaun di pihak penyedia tidak menerima fail lagi buat masa ini. Cuba lagi dalam {retry_after_seconds}, pada {retry_at}, atau tanya tanpa fail',
  'errors.openai.accountDeactivated':
    'Akaun atau ruang kerja di pihak penyedia telah dinyahaktifkan. Hubungi pentadbir',
  'errors.openai.unusualActivity':
    'Penyedia mengesan aktiviti luar biasa dan menolak akaun atau pelayan ini buat masa ini. Hubungi pentadbir',
  'errors.openai.unusualActivity.until':
    'Penyedia mengesan aktiviti luar biasa dan menolak akaun atau pelayan ini buat masa ini. Cuba lagi dalam {retry_after_seconds}, pada {retry_at}',
  'errors.openai.webPage':
    'Penyedia menghantar halaman web, misalnya semakan manusia, dan bukan jawapan. Hubungi pentadbir',
  'errors.openai.cutOff': 'Penyedia terputus sebelum jawapan lengkap',
  'errors.openai.noVisibleText':
    'Jawapan model tiada teks yang kelihatan, hanya ruang kosong atau aksara halimunan. Cuba lagi atau pilih model lain',
  'errors.openai.thoughtsOnly':
    'Model berfikir tetapi tidak menulis jawapan; mungkin fikirannya menghabiskan panjang yang dibenarkan. Cuba lagi atau pilih model lain',
  'errors.chatgptResponseError': 'Penyedia mengembalikan ralat',
  'errors.upstreamTimeout': 'Penyedia terlalu lama menjawab',
  'errors.httpError': 'Penyedia tidak dapat dihubungi',
  'errors.unknownError': 'Ralat tidak diketahui',
  'errors.addressNotAllowed': 'Alamat ini tidak dibenarkan',
  'errors.pluginNotFound': 'Pemalam tidak dijumpai',
  'errors.pluginsOfDifferentAccounts': 'Tiada akaun kongsi yang mempunyai semua pemalam ini',
  'errors.notPlusChatgptAccount': 'Akaun kongsi tiada langganan berbayar, jadi pemalam tidak boleh digunakan',
  'errors.sandboxFileNotFound': 'Fail ini tiada dalam persekitaran larian. Mungkin telah dibersihkan',
  'errors.sandboxFileDownloadError': 'Fail tidak dapat dimuat turun',
  'errors.fileTooLarge': 'Fail terlalu besar',
  'errors.fileTooLarge.detailed': 'Fail terlalu besar; paling besar {max_bytes}',
  'errors.fileEmpty': 'Fail ini kosong',
  'errors.storageRefused': 'Storan perkhidmatan web tidak menerima atau memberikan fail itu (HTTP {status})',
  'errors.fileInUse': 'Jawapan yang sedang dijana menggunakan fail ini. Padamkannya selepas jawapan itu selesai',
  'errors.uploadSpaceUsedUp': 'Ruang fail anda sudah penuh',
  'errors.uploadSpaceUsedUp.detailed': 'Ruang fail anda sudah penuh; paling banyak {max_bytes} bagi setiap orang',
  'errors.pictureTooLarge': 'Gambar terlalu besar; paling banyak {megapixels} megapiksel',
  'errors.attachmentsTooLarge': 'Fail soalan ini terlalu besar bersama; paling banyak {max_bytes}',
  'errors.attachmentGone': '“{name}” telah dipadam atau tamat tempoh. Buang, kemudian hantar',
}
